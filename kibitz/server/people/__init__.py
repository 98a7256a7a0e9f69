"""Who plays: devices, passphrases, what is kept about somebody, ratings."""
