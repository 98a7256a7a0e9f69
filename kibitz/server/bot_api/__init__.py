"""For programs that play over plain HTTP. See docs/bot-api.md."""
