"""The games as PettingZoo environments in which agents take turns: a module for each game and version.

    from kibitz.envs.pettingzoo import match_v1
    env = match_v1.env(players=4, target=30)

The number is the version of the game's rules. See docs/environments.md.
"""

from kibitz.core.extras import needing

with needing("pettingzoo"):
    import pettingzoo
    from pettingzoo.utils import wrappers  # noqa: F401  (brings what the modules here use)

from kibitz.envs.naming import all_versions


def register() -> None:
    """Make the environments known to PettingZoo, where it keeps a registry: `kibitz/match-v1` and so on."""
    if not hasattr(pettingzoo, "register"):
        return
    for game, version in all_versions():
        if game.package.startswith("kibitz.games."):
            entry_point = f"{__name__}.{game.name}_v{version}:env"
            pettingzoo.register("aec", f"kibitz/{game.name}-v{version}", entry_point)


register()
