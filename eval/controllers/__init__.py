"""The controllers that a comparison can run, one file each over the same environment."""
