"""Games learned, explained and looked at again."""
