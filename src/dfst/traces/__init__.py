"""What was observed of a teacher: recording, storing, and what a set of traces covers."""
