"""For eyes: live progress, drawings, films, the viewer."""
