"""Measuring controllers against each other, with gold at hand."""
