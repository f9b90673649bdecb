"""The bot's gateway: sessions that outlive connections, and their events.

https://docs.discord.com/developers/events/gateway
"""
