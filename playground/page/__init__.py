"""The page: what a Discord client does, over HTTP and a websocket, for people and for tests."""
