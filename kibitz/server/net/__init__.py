"""What comes in from outside and goes out: sockets, requests, pages."""
