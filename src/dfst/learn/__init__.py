"""The DFST: the model, one-hot models, and weights on disk."""
