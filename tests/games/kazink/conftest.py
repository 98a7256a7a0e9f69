"""Kazink! is there, also while it isn't listed among the games."""

import kibitz
from kibitz.core import registry

if "kazink" not in kibitz.games():
    registry.register_folder("kazink", "kibitz.games.kazink")
