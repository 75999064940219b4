"""From a trained model and its traces to a finite machine. Never sees a teacher."""
