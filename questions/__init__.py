"""Questions with their gold answers and supporting passages; nothing here is needed at run time."""

from .loading import load_dataset
from .question import Dataset, Question

__all__ = ["Dataset", "Question", "load_dataset"]
