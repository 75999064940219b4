"""A training run on disk: its folder, options, checkpoints and card."""
