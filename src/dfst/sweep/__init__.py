"""Many training runs: a plan, trials, workers, one table; on this machine or on a cluster."""
