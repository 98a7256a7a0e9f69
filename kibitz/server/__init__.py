"""The server: tables on a store that loses nothing, and the protocol it speaks."""
