"""Questions people ask: exact match, PLG and RLG, robustness over seeds, baselines."""
