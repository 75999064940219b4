"""From a task to a trained model in one go."""
