"""Agents loose on a grid: float rollout, table rollout, outcome as data."""
