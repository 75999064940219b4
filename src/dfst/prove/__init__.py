"""From weights to certainty: extract a machine, compare it with its teacher, certify, check."""
