"""From two machines to a verdict.

Abstraction, closure, counterexamples, certificates and their checker. Never sees trained weights.
"""
