"""Why something is not learned: a task, its traces, a run."""
