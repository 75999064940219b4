"""Observations of a teacher: recording, sampling, storing, and what a set of them covers."""
