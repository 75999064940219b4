"""For eyes: live progress, plots, drawings, films, the viewer."""
