"""Several nodes that serve one store: news between them, and which does what."""
