"""Doors to other tools: AALpy, dot files, Gymnasium."""
