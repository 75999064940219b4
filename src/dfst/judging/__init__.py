"""Questions about one learner: how far it is right, whether it is proven, what a name means, what is wrong with it."""
