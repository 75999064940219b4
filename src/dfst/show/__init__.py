"""For eyes: live progress, and plots."""
