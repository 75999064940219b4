"""Who shows it: machines that do a task right, tasks as files, the gallery, how problems are sampled."""
