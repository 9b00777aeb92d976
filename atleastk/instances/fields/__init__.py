"""Fields of documents: their shapes, names, errors."""
