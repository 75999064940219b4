"""Doors to other tools: AALpy, dot files, Morphett's simulator, Gymnasium."""
