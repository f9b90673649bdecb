"""Messages that Parlour sends by itself: boards, notices, offers, lobbies."""
