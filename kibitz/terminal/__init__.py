"""The games in a terminal: the table drawn with letters, shapes and colours, and the loop around it."""
