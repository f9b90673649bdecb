"""The bot's gateway: sessions that outlive connections, and what is sent over them.

https://docs.discord.com/developers/events/gateway
"""
