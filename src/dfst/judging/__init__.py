"""Questions about one learner: how far it is right, whether it is proven, what is wrong with it."""
