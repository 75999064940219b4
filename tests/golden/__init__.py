"""What must not change by a rebuilding: bytes of files, hashes, rollouts to the last bit, and what --json says."""
