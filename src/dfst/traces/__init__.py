"""What was observed of a teacher: recording, sampling, storing, and what a set of traces covers."""
