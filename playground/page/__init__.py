"""The page: the functions of a Discord client, over HTTP and a websocket, for people and tests."""
