"""Policies on the grid: float rollouts, in step with a teacher, and drift."""
