"""States and actions as numbers, from run-time facts alone."""
