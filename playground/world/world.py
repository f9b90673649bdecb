"""The complete world: its state and all actions on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from playground.clock import Clock, SystemClock
from playground.wire import Json
from playground.world.calendar import Calendar
from playground.world.commands import Commands
from playground.world.interactions import Interactions
from playground.world.marks import Marks
from playground.world.messages import Messages
from playground.world.model import Channel, Guild, Message, User
from playground.world.places import Places
from playground.world.state import ApplicationInfo, Journal, Limits, State
from playground.world.threads import Threads
from playground.world.user_actions import UserActions

#: The application and its bot keep these ids, so that a bot finds itself again after a restart.
APPLICATION_ID = 1_000_000_000_000_000_001
_FIRST_PEOPLE = ("Ada", "Ben")


@dataclass(slots=True, repr=False)
class World:
    """State and services."""

    state: State
    threads: Threads = field(init=False)
    messages: Messages = field(init=False)
    marks: Marks = field(init=False)
    places: Places = field(init=False)
    calendar: Calendar = field(init=False)
    commands: Commands = field(init=False)
    interactions: Interactions = field(init=False)
    user_actions: UserActions = field(init=False)

    def __post_init__(self) -> None:
        self.threads = Threads(self.state)
        self.messages = Messages(self.state, self.threads)
        self.marks = Marks(self.state, self.messages)
        self.places = Places(self.state, self.threads)
        self.calendar = Calendar(self.state)
        self.commands = Commands(self.state)
        self.interactions = Interactions(self.state, self.messages)
        self.user_actions = UserActions(self.state, self.threads)

    @classmethod
    def create(
        cls,
        *,
        clock: Clock | None = None,
        limits: Limits | None = None,
        journal: Journal | None = None,
        bot_name: str = "Bot",
        privileged_intents: bool = False,
        first_command: str = "",
    ) -> World:
        """An empty world that knows its application; :meth:`furnish` puts people into it."""
        application = ApplicationInfo(
            APPLICATION_ID, APPLICATION_ID, bot_name, privileged_intents, first_command
        )
        state = State(application, clock or SystemClock(), limits or Limits())
        if journal is not None:
            state.journal = journal
        return cls(state)

    def furnish(self, server_name: str = "Playground") -> None:
        """Put the bot, two people and a server into an empty world; leave a full one unchanged."""
        state = self.state
        if state.bot_id not in state.users:
            bot = User(state.bot_id, state.application.name, bot=True)
            state.users[bot.id] = bot
            state.keep(bot)
        if state.guilds:
            return
        people = [self.places.add_user(name) for name in _FIRST_PEOPLE]
        guild = self.places.add_guild(server_name, people[0].id)
        for person in people[1:]:
            self.places.join(guild.id, person.id)
        self.places.join(guild.id, state.bot_id)
        self.places.add_channel(guild.id, "games")

    @property
    def home(self) -> Guild:
        """The first server, which newcomers join."""
        return next(iter(self.state.guilds.values()))

    def start_thread(
        self, channel_id: int, user_id: int, body: Json, *, message_id: int | None = None
    ) -> Channel:
        """Start a thread with the system message that Discord posts there."""
        parent = self.state.visible_channel(channel_id, user_id)
        starter: Message | None = None
        if message_id is not None:
            starter = self.messages.seen(channel_id, message_id, user_id)
        thread = self.threads.start(parent, user_id, body, starter=starter)
        opening = self.threads.opening(parent, thread, user_id, starter)
        if opening is not None:
            self.messages.post(opening)
        if starter is not None:
            self.messages.updated(starter)
        return thread
