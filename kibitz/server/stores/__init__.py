"""Where tables are kept: what any store promises, and the engines that keep it."""
