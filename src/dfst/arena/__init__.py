"""Rival learners on the same traces: state merging."""
