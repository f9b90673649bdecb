"""One outbox: the worker, and a module for each kind of message that it sends."""
