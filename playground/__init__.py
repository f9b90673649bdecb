"""A Discord on your own machine: REST API, gateway and a chat page on loopback."""
