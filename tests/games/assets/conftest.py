"""The game is known to these tests, also before it is listed."""

from kibitz.core import registry

registry.register_folder("assets", "kibitz.games.assets")
