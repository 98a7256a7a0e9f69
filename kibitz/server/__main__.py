"""`python -m kibitz.server`: the server alone."""

from pathlib import Path

import click

from kibitz.core.errors import KibitzError
from kibitz.server.serve import HOST, PORT, serve


@click.command()
@click.option("--host", default=HOST, show_default=True, help="Where to listen; 0.0.0.0 for your network.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535))
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Where tables are kept.")
@click.option("--public-url", help="The address under which others find it, behind a proxy.")
@click.option("--browser/--no-browser", default=True, help="Open a browser.")
def main(host: str, port: int, data: Path | None, public_url: str | None, browser: bool) -> None:
    """Run the Kibitz server."""
    try:
        serve(host, port, data, public_url, browser)
    except KibitzError as error:
        raise click.ClickException(error.reason) from error


if __name__ == "__main__":
    main(prog_name="python -m kibitz.server")
