"""The rules of the games. Standard library only: nothing here knows chat, pictures or clocks."""
