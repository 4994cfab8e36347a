"""Trained controllers at run time: exported models, the decision policy, the bundle and the runner."""
