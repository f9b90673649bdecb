"""What people can do: each method answers one command or one control.

Nothing here knows a game or decides anything: acts read what was sent with suspicion, ask the
services, and say what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.domain.events import EventKind
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.domain.table import game_of, player_on_turn, table_of
from bot.errors import UserError
from bot.i18n.sentences import REFUSALS, STATUSES, refusal
from bot.services.matches import Answer
from bot.ui import boards, lists, panels, rules, words
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Desk, Visit
from bot.ui.door import Questioned
from bot.ui.names import escape
from bot.ui.options import find_game, read_options, read_side
from bot.ui.panel import Way, WayLostError
from bot.ui.places import venue_of
from bot.ui.scene import board_view
from bot.ui.setup import Draft, changed, read_draft, setup_page
from games.api import Seat
from games.errors import IllegalMove, MoveError
from games.view import Marks, Text

__all__ = ["Acts"]

_LONGEST_MOVE = 100
_DONE: dict[str, Text] = {
    EventKind.OFFERED.value: Text.of("Your offer is made. You will see here when it is answered."),
    EventKind.JOINED.value: Text.of("You have a seat. The match starts when all are taken."),
    EventKind.STARTED.value: Text.of("The match has started. Its board is on the way."),
    EventKind.LEFT.value: Text.of("You have given up your seat."),
    EventKind.DECLINED.value: Text.of("You have declined."),
    EventKind.WITHDRAWN.value: Text.of("Your offer is withdrawn."),
    EventKind.MOVED.value: Text.of("You have played {move}."),
    EventKind.RESIGNED.value: Text.of("You have resigned."),
    EventKind.ABORTED.value: Text.of("The match is aborted."),
    EventKind.DRAW_OFFERED.value: Text.of("You have offered a draw."),
    EventKind.DRAW_ACCEPTED.value: Text.of("You have agreed to a draw."),
    EventKind.DRAW_DECLINED.value: Text.of("You have declined the draw."),
}


class Acts:
    """Everything that a person can ask of the bot."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # ---- saying what came of it --------------------------------------------------------------

    def _done(self, visit: Visit, answer: Answer) -> Reply:
        if answer.code == EventKind.STARTED.value:
            self.desk.heads.forget()
        self.desk.heads.saw(answer.match)
        sentence = _DONE[answer.code]
        said = visit.language(Text(sentence.message, tuple(sorted(answer.params.items()))))
        if answer.match.result is not None:
            said = f"{said} {words.outcome(answer.match, visit.language)}"
        return Reply(said)

    async def _present(self, visit: Visit, match_id: str, error: UserError) -> Reply:
        """A refusal together with the board as it is now."""
        match = await self._match(visit, match_id)
        lead = visit.language(refusal(error, match.game))
        if not match.state:
            return Reply(lead)
        mine = match.index_of(visit.user_id) is not None
        return await boards.board(match, self.desk.stage, visit.language, lead=lead, buttons=mine)

    async def out_of_date(self, visit: Visit, match_id: str | None = None) -> Reply:
        """Say that a control is none of ours any more, and show the board it may have been for."""
        lead = visit.language(REFUSALS["out_of_date"])
        try:
            if match_id is not None:
                match = await self._match(visit, match_id)
            else:
                here = await self.desk.matches.running_in(visit.actor, visit.place.channel_id)
                if len(here) != 1:
                    return Reply(lead)
                match = here[0]
            if not match.state:
                return Reply(lead)
            mine = match.index_of(visit.user_id) is not None
            return await boards.board(
                match, self.desk.stage, visit.language, lead=lead, buttons=mine
            )
        except UserError:
            return Reply(lead)

    # ---- finding the match that is meant -----------------------------------------------------

    async def _match(self, visit: Visit, match_id: str) -> Match:
        return await self.desk.matches.match(visit.actor, MatchId(match_id))

    async def _mine(self, visit: Visit, purpose: str, *, to_move: bool = False) -> Match:
        """The one match of this person that a command can mean here, or ask which.

        ``purpose`` is the command, as the argument of the control that asks. Of several, those
        that wait for this person are meant if ``to_move``.
        """
        key = (visit.user_id, visit.place.channel_id)
        found = await self.desk.heads.around(key, lambda: self.desk.around(visit))
        if len(found) != 1 or found[0].status is not MatchStatus.RUNNING:
            found = await self.desk.around(visit)
        if to_move and len(found) > 1:
            found = tuple(m for m in found if lists.is_on_turn(m, visit.user_id)) or found
        if not found:
            raise UserError("no_match_here")
        if len(found) == 1:
            return found[0]
        control = Control("choose", arg=purpose)
        raise Questioned(
            await lists.choose(
                found,
                visit.language(REFUSALS["choose_match"]),
                control,
                user_id=visit.user_id,
                names=self.desk.stage.names,
                language=visit.language,
            )
        )

    async def _seen(self, visit: Visit, purpose: str) -> Match:
        """The match that a command looks at: one of this person's, or the one played here."""
        here = await self.desk.matches.running_in(visit.actor, visit.place.channel_id)
        if len(here) == 1:
            return here[0]
        return await self._mine(visit, purpose)

    # ---- offers ------------------------------------------------------------------------------

    async def play(
        self,
        visit: Visit,
        *,
        game: str,
        opponents: tuple[Actor, ...],
        options: str,
        side: str,
        venue: Venue,
    ) -> Reply:
        """Offer a match."""
        info = find_game(game).info
        chosen = read_options(info, options)
        seat = read_side(info, chosen, side, visit.language)
        answer = await self.desk.matches.challenge(
            visit.actor,
            visit.place,
            game=info.key,
            options=chosen,
            opponents=opponents,
            seat=seat,
            venue=venue,
            lasts=self.desk.offers_last,
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def set_up(self, visit: Visit, draft: Draft) -> Reply:
        """``/play`` without a game, and every choice after that: show the page of menus."""
        return setup_page(draft, visit.language)

    async def choose_set_up(self, visit: Visit, control: Control, values: tuple[str, ...]) -> Reply:
        """A choice on the page of menus."""
        draft = _draft(visit)
        if control.action == "sguest":
            try:
                _check_guests(visit.interaction)
            except UserError as error:
                said = visit.language(refusal(error))
                return setup_page(draft, visit.language, refused=said)
        return await self.set_up(visit, changed(draft, control, values))

    async def offer_set_up(self, visit: Visit) -> Reply:
        """Make the offer that the page of menus shows."""
        draft = _draft(visit)
        info = draft.info
        if info is None:
            raise UserError("game_needed")
        guild = visit.place.guild_id
        guests = tuple(Actor(UserId(guest), guild) for guest in draft.guests)
        seat = int(draft.side) - 1 if draft.side in "123456789" and draft.side else -1
        answer = await self.desk.matches.challenge(
            visit.actor,
            visit.place,
            game=info.key,
            options=draft.values(),
            opponents=guests,
            seat=seat if seat >= 0 else None,
            venue=venue_of(visit.interaction, threads=self.desk.threads),
            lasts=self.desk.offers_last,
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def accept(self, visit: Visit, control: Control) -> Reply:
        """Take a seat in an offered match."""
        try:
            answer = await self.desk.matches.accept(
                visit.actor,
                MatchId(control.match),
                interaction_id=visit.id,
            )
        except UserError as error:
            raise _offer_closed(error, visit) from None
        return self._done(visit, answer)

    async def decline(self, visit: Visit, control: Control) -> Reply:
        """Refuse an offer."""
        try:
            answer = await self.desk.matches.decline(
                visit.actor,
                MatchId(control.match),
                interaction_id=visit.id,
            )
        except UserError as error:
            raise _offer_closed(error, visit) from None
        return self._done(visit, answer)

    async def withdraw(self, visit: Visit, control: Control) -> Reply:
        """Take an offer back, or leave one."""
        try:
            answer = await self.desk.matches.withdraw(
                visit.actor,
                MatchId(control.match),
                interaction_id=visit.id,
            )
        except UserError as error:
            raise _offer_closed(error, visit) from None
        return self._done(visit, answer)

    # ---- moves -------------------------------------------------------------------------------

    async def move(self, visit: Visit, text: str) -> Reply:
        """``/move``: play a typed move in the match that is meant."""
        purpose = f"move/{text.strip()}"
        control = Control("choose", arg=purpose)
        asked = purpose if _is_writable(control) else "move"
        match = await self._mine(visit, asked, to_move=True)
        return await self.typed(visit, match, text)

    async def typed(
        self, visit: Visit, match: Match, text: str, *, version: int | None = None
    ) -> Reply:
        """Play a typed move; a refusal names the rule and marks the place on a picture."""
        if not text.strip():
            hint = game_of(match.game, match.options).info.move_hint
            raise UserError("move_empty", hint=hint)
        try:
            answer = await self.desk.matches.move(
                visit.actor,
                match.id,
                text=text[: _LONGEST_MOVE + 1],
                interaction_id=visit.id,
                expected_version=version,
            )
        except MoveError as error:
            return await self._illegal(visit, match.id, error)
        except UserError as error:
            if error.code == "position_changed":
                return await self._present(visit, match.id, error)
            raise
        return self._done(visit, answer)

    async def _illegal(self, visit: Visit, match_id: str, error: MoveError) -> Reply:
        match = await self._match(visit, match_id)
        said = visit.language(refusal(error, match.game))
        place = error.place if isinstance(error, IllegalMove) else ()
        if not place or not match.state:
            return Reply(said)
        if not all(cell in said for cell in place):
            said = f"{said} ({', '.join(place)})"
        view = board_view(match)
        marked = view.with_marks(Marks(refused=view.named(place)))
        picture = await self.desk.stage.picture(match, marked, visit.language, name="refused")
        if picture is None:
            return Reply(said)
        return await boards.board(
            match, self.desk.stage, visit.language, lead=f"**{said}**", picture=picture
        )

    def _seat(self, visit: Visit, match: Match) -> Seat:
        """The seat of a player who is on turn; refuses everybody else."""
        if match.status is not MatchStatus.RUNNING:
            raise UserError("match_over" if match.status.is_final else "not_started")
        index = match.index_of(visit.user_id)
        if index is None:
            raise UserError("not_a_player")
        on_turn = player_on_turn(match)
        if on_turn != index:
            raise UserError("not_your_turn")
        table = table_of(match)
        seat = table.game.to_move(table.position)
        if seat is None:
            raise UserError("match_over")
        return seat

    async def panel(self, visit: Visit, control: Control) -> Reply:
        """**Make a move**: ask for the first part."""
        return await self._panel(visit, control, Way())

    async def way(self, visit: Visit, control: Control) -> Reply:
        """**Back**: ask an earlier question again."""
        return await self._panel(visit, control, _read_way(control.arg))

    async def pick(self, visit: Visit, control: Control, value: str) -> Reply:
        """A choice of the menu: ask for the next part, or show the whole move."""
        came_from = _read_way(control.arg)
        if not value:
            raise UserError("out_of_date")
        try:
            way = came_from.then(value)
        except WayLostError:
            raise UserError("out_of_date") from None
        return await self._panel(visit, control, way, came_from=came_from)

    async def _panel(
        self, visit: Visit, control: Control, way: Way, *, came_from: Way | None = None
    ) -> Reply:
        match = await self._match(visit, control.match)
        seat = self._seat(visit, match)
        if not match.position_since <= control.version <= match.version:
            error = UserError("position_changed", version=match.version)
            return await self._present(visit, match.id, error)
        try:
            return await panels.panel(
                match, seat, way, self.desk.stage, visit.language, came_from=came_from
            )
        except WayLostError:
            return await self.out_of_date(visit, match.id)

    async def play_picked(self, visit: Visit, control: Control) -> Reply:
        """Confirm a move that was picked."""
        match = await self._match(visit, control.match)
        move = self._picked(match, control)
        if move is None:
            error = UserError("position_changed", version=match.version)
            repeated = match.moved_by == match.index_of(visit.user_id) is not None
            if repeated and _read_way(control.arg).picks:
                # The second of two clicks: the move is on the board already.
                return await self._again(visit, match, control, error)
            return await self._present(visit, match.id, error)
        return await self.typed(visit, match, move, version=control.version)

    async def _again(self, visit: Visit, match: Match, control: Control, error: UserError) -> Reply:
        before = game_of(match.game, match.options)
        position = before.decode(match.previous_state) if match.previous_state else None
        if position is not None:
            move = panels.whole_move(before, position, _read_way(control.arg))
            if move == match.last_move:
                return await self.typed(visit, match, move, version=control.version)
        return await self._present(visit, match.id, error)

    @staticmethod
    def _picked(match: Match, control: Control) -> str | None:
        """The move at the end of the way, if the position is still the one it was picked in."""
        if not match.state or not match.position_since <= control.version <= match.version:
            return None
        table = table_of(match)
        return panels.whole_move(table.game, table.position, _read_way(control.arg))

    async def typed_in_form(self, visit: Visit, control: Control, text: str) -> Reply:
        """A move typed into the form of the panel."""
        match = await self._match(visit, control.match)
        return await self.typed(visit, match, text, version=control.version)

    # ---- ending ------------------------------------------------------------------------------

    async def resign_here(self, visit: Visit) -> Reply:
        """``/resign``: ask whether that is meant."""
        return await self._sure(visit, await self._mine(visit, "resign"), "resign")

    async def abort_here(self, visit: Visit) -> Reply:
        """``/abort``: ask whether that is meant."""
        return await self._sure(visit, await self._mine(visit, "abort"), "abort")

    async def draw_here(self, visit: Visit) -> Reply:
        """``/draw``: offer a draw, or accept the one on offer."""
        return await self._draw(visit, await self._mine(visit, "draw"))

    async def sure(self, visit: Visit, control: Control) -> Reply:
        """A button that ends the match: ask whether that is meant."""
        return await self._sure(visit, await self._match(visit, control.match), control.action)

    async def _sure(self, visit: Visit, match: Match, action: str) -> Reply:
        if match.status is not MatchStatus.RUNNING:
            raise UserError("match_over" if match.status.is_final else "not_started")
        index = match.index_of(visit.user_id)
        if index is None or index in match.retired:
            raise UserError("not_a_player")
        language = visit.language
        name = words.game_name(match)
        if action == "abort":
            if match.ply > 1:
                raise UserError("too_late_to_abort")
            question = language.say(
                "Abort this match of {game}? It will have no result.", game=name
            )
            return boards.confirmation(match, question, "abortyes", language.say("Abort"))
        question = language.say("Resign this match of {game}? You will lose it.", game=name)
        return boards.confirmation(match, question, "resignyes", language.say("Resign"))

    async def resign(self, visit: Visit, control: Control) -> Reply:
        """Give up, after having been asked."""
        answer = await self.desk.matches.resign(
            visit.actor,
            MatchId(control.match),
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def abort(self, visit: Visit, control: Control) -> Reply:
        """End a match that has hardly begun, after having been asked."""
        answer = await self.desk.matches.abort(
            visit.actor,
            MatchId(control.match),
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def draw(self, visit: Visit, control: Control) -> Reply:
        """**Offer draw**."""
        return await self._draw(visit, await self._match(visit, control.match))

    async def _draw(self, visit: Visit, match: Match) -> Reply:
        answer = await self.desk.matches.offer_draw(visit.actor, match.id, interaction_id=visit.id)
        return self._done(visit, answer)

    async def answer_draw(self, visit: Visit, control: Control) -> Reply:
        """Accept or decline a draw offer."""
        answer = await self.desk.matches.answer_draw(
            visit.actor,
            MatchId(control.match),
            accept=control.action == "drawyes",
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    # ---- looking -----------------------------------------------------------------------------

    async def board_here(self, visit: Visit) -> Reply:
        """``/board``: the board again, to this person alone."""
        return await self._board(visit, await self._seen(visit, "board"))

    async def show(self, visit: Visit, match_id: str) -> Reply:
        """The board of a match chosen from a list."""
        return await self._board(visit, await self._match(visit, match_id))

    async def _board(self, visit: Visit, match: Match) -> Reply:
        if not match.state:
            status = visit.language(STATUSES[match.status])
            return Reply(visit.language(refusal(UserError("offer_closed", status=status))))
        mine = match.index_of(visit.user_id) is not None
        return await boards.board(match, self.desk.stage, visit.language, buttons=mine)

    async def text_board(self, visit: Visit, control: Control) -> Reply:
        """**Text board**: position and moves in words and letters."""
        match = await self._match(visit, control.match)
        if not match.state:
            raise UserError("not_started")
        events = await self.desk.matches.history(visit.actor, match.id)
        moves: list[str] = []
        for event in events:
            if event.kind is EventKind.MOVED:
                moves.append(str(event.payload["move"]))
            then = event.payload.get("then") or event.payload.get("moves")
            if isinstance(then, list):
                moves.extend(str(move) for move in then)
        return await boards.text_board(match, tuple(moves), self.desk.stage, visit.language)

    async def games(self, visit: Visit) -> Reply:
        """``/games``: all matches of this person."""
        found = await self.desk.matches.matches_of(visit.user_id)
        return await lists.games_page(found, visit.user_id, self.desk.stage.names, visit.language)

    async def rules(self, visit: Visit, key: str, number: int = 0) -> Reply:
        """``/rules``: a page of a game's guide."""
        stage = self.desk.stage
        return await rules.rules_page(
            key, number, stage.pictures, visit.language, theme=stage.theme
        )

    async def help(self, visit: Visit) -> Reply:
        """``/help``."""
        return rules.help_page(visit.language)

    # ---- when several matches fitted ---------------------------------------------------------

    async def chosen(self, visit: Visit, control: Control, match_id: str) -> Reply:
        """Go on with a command after its match was chosen from a list."""
        command, _, rest = control.arg.partition("/")
        match = await self._match(visit, match_id)
        match command:
            case "move" if rest:
                return await self.typed(visit, match, rest)
            case "move":
                return await self._panel(visit, Control("move", match.id, match.version), Way())
            case "resign" | "abort":
                return await self._sure(visit, match, command)
            case "draw":
                return await self._draw(visit, match)
            case "board":
                return await self._board(visit, match)
            case _:
                raise UserError("out_of_date")


def _draft(visit: Visit) -> Draft:
    """What the page of menus shows that an interaction came from."""
    message = visit.interaction.message
    if message is None:
        raise UserError("out_of_date")
    return read_draft([component.to_dict() for component in message.components])


def _check_guests(interaction: discord.Interaction[Any]) -> None:
    """Refuse bots, and in a server strangers to it, as soon as they are chosen."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if int(key) == interaction.user.id:
            raise UserError("invite_self")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=escape(str(user.get("username"))))


def _offer_closed(error: UserError, visit: Visit) -> UserError:
    """The same refusal with what became of the offer in the reader's words."""
    if error.code != "offer_closed":
        return error
    status = MatchStatus(error.params["status"])
    return UserError("offer_closed", status=visit.language(STATUSES[status]))


def _read_way(text: str) -> Way:
    try:
        return Way.read(text)
    except WayLostError:
        raise UserError("out_of_date") from None


def _is_writable(control: Control) -> bool:
    """Whether the control can be written as a custom id."""
    try:
        return control.fits and bool(str(control))
    except ValueError:
        return False
