"""The games that are here, one folder each, in the order in which they are listed.

A folder that isn't listed is a game in the making: it isn't offered.
"""

from kibitz.core import registry

for _name in ("kaching", "kazink", "cash", "assets", "match"):
    registry.register_folder(_name, f"{__name__}.{_name}")
