"""The games that are here, one folder each, in the order in which they are listed."""

from kibitz.core import registry

for _name in ("kaching",):
    registry.register_folder(_name, f"{__name__}.{_name}")
