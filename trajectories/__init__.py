"""Exploration with gold at hand: what happens after each action, labelled."""
