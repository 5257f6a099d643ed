"""CardModel: what it learns from, how it is trained, and how it is scored."""
