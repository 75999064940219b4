"""From a task to a certificate in one go."""
