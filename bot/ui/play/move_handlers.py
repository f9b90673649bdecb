"""Playing: moves typed and picked, and the ways to end a match."""

from __future__ import annotations

from bot.domain.game_state import check_whole, game_of, game_state_of, player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.domain.match_view import board_view
from bot.domain.play import seated
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.permissions import venue_of
from bot.ui.interaction.responses import Reply
from bot.ui.pages import board_page, match_text
from bot.ui.pages.custom_ids import Control
from bot.ui.play import move_picker_page
from bot.ui.play.move_picker import MovePick, PickLostError
from games.api import Seat
from games.errors import IllegalMove, MoveError
from games.view import Marks

_LONGEST_MOVE = 100


class Playing(Acting):
    """Acts of the players of a running match."""

    async def move(self, context: InteractionContext, text: str) -> Reply:
        """``/move``: play a typed move in the match that is meant."""
        match = await self._mine(context, f"move/{text.strip()}", to_move=True)
        return await self.typed(context, match, text)

    async def move_here(self, context: InteractionContext) -> Reply:
        """``/move-here``: go on with a match in this channel."""
        return await self._move_here(context, await self._mine(context, "movehere"))

    async def _move_here(self, context: InteractionContext, match: Match) -> Reply:
        venue_of(context.interaction, threads=False)
        await self.services.matches.move_here(context.actor, match.id, context.place)
        return Reply(context.language.say("The match continues here. Its board is on the way."))

    async def typed(
        self, context: InteractionContext, match: Match, text: str, *, version: int | None = None
    ) -> Reply:
        """Play a typed move; a refusal names the rule and marks the place on a picture."""
        if not text.strip():
            hint = game_of(match.game, match.options).info.move_hint
            raise UserError("move_empty", hint=hint)
        try:
            answer = await self.services.matches.move(
                context.actor,
                match.id,
                text=text[: _LONGEST_MOVE + 1],
                interaction_id=context.id,
                expected_version=version,
            )
        except MoveError as error:
            return await self._illegal(context, match.id, error)
        except UserError as error:
            if error.code == "position_changed":
                return await self._present(context, match.id, error)
            if error.code == "not_your_turn":
                raise _not_your_turn(
                    await self._match(context, match.id), context.language
                ) from None
            raise
        return self._done(context, answer)

    async def _illegal(self, context: InteractionContext, match_id: str, error: MoveError) -> Reply:
        match = await self._match(context, match_id)
        said = context.language(refusal(error, match.game))
        place = error.place if isinstance(error, IllegalMove) else ()
        if not place or not match.state:
            return Reply(said)
        if not all(cell in said for cell in place):
            said = f"{said} ({', '.join(place)})"
        view = board_view(match)
        marked = view.with_marks(Marks(refused=view.named(place)))
        picture = await context.presenter.picture(match, marked, context.language, name="refused")
        if picture is None:
            return Reply(said)
        return board_page.refused(match, said, picture, context.language)

    def _seat(self, context: InteractionContext, match: Match) -> Seat:
        """The seat of a player who is on turn; refuses everybody else."""
        if match.status is not MatchStatus.RUNNING:
            raise UserError("match_over" if match.status.is_final else "not_started")
        check_whole(match)
        index = seated(match, context.user_id)
        on_turn = player_on_turn(match)
        if on_turn != index:
            raise _not_your_turn(match, context.language)
        table = game_state_of(match)
        seat = table.game.to_move(table.position)
        if seat is None:
            raise UserError("match_over")
        return seat

    async def panel(self, context: InteractionContext, control: Control) -> Reply:
        """**Make a move**: ask for the first part."""
        return await self._panel(context, control, MovePick())

    async def way(self, context: InteractionContext, control: Control) -> Reply:
        """**Back**: ask an earlier question again."""
        return await self._panel(context, control, _read_way(control.arg))

    async def pick(self, context: InteractionContext, control: Control, value: str) -> Reply:
        """A choice of the menu: ask for the next part, or show the whole move."""
        came_from = _read_way(control.arg)
        if not value:
            raise UserError("out_of_date")
        try:
            way = came_from.then(value)
        except PickLostError:
            raise UserError("out_of_date") from None
        return await self._panel(context, control, way, came_from=came_from)

    async def _panel(
        self,
        context: InteractionContext,
        control: Control,
        way: MovePick,
        *,
        came_from: MovePick | None = None,
    ) -> Reply:
        match = await self._match(context, control.match)
        seat = self._seat(context, match)
        if not match.position_since <= control.version <= match.version:
            error = UserError("position_changed", version=match.version)
            return await self._present(context, match.id, error)
        try:
            return await move_picker_page.panel(
                match, seat, way, context.presenter, context.language, came_from=came_from
            )
        except PickLostError:
            return await self.out_of_date(context, match.id)

    async def play_picked(self, context: InteractionContext, control: Control) -> Reply:
        """Confirm a move that was picked."""
        match = await self._match(context, control.match)
        if not match.state:
            raise UserError("not_started")
        move = self._picked(match, control)
        if move is None:
            error = UserError("position_changed", version=match.version)
            repeated = match.moved_by == match.index_of(context.user_id) is not None
            if repeated and _read_way(control.arg).picks:
                # The second of two clicks: the move is on the board already.
                return await self._again(context, match, control, error)
            return await self._present(context, match.id, error)
        return await self.typed(context, match, move, version=control.version)

    async def _again(
        self, context: InteractionContext, match: Match, control: Control, error: UserError
    ) -> Reply:
        before = game_of(match.game, match.options)
        position = before.decode(match.previous_state) if match.previous_state else None
        if position is not None:
            move = move_picker_page.whole_move(before, position, _read_way(control.arg))
            if move == match.last_move:
                return await self.typed(context, match, move, version=control.version)
        return await self._present(context, match.id, error)

    @staticmethod
    def _picked(match: Match, control: Control) -> str | None:
        """The move at the end of the way, if the position is still the one it was picked in."""
        if not match.state or not match.position_since <= control.version <= match.version:
            return None
        table = game_state_of(match)
        return move_picker_page.whole_move(table.game, table.position, _read_way(control.arg))

    async def typed_in_form(
        self, context: InteractionContext, control: Control, text: str
    ) -> Reply:
        """A move typed into the form of the panel."""
        match = await self._match(context, control.match)
        return await self.typed(context, match, text, version=control.version)

    async def resign_here(self, context: InteractionContext) -> Reply:
        """``/resign``: ask whether that is meant."""
        return await self._sure(context, await self._mine(context, "resign"), "resign")

    async def abort_here(self, context: InteractionContext) -> Reply:
        """``/abort``: ask whether that is meant."""
        return await self._sure(context, await self._mine(context, "abort"), "abort")

    async def sure(self, context: InteractionContext, control: Control) -> Reply:
        """A button that ends the match: ask whether that is meant."""
        return await self._sure(context, await self._match(context, control.match), control.action)

    async def _sure(self, context: InteractionContext, match: Match, action: str) -> Reply:
        if match.status is not MatchStatus.RUNNING:
            raise UserError("match_over" if match.status.is_final else "not_started")
        seated(match, context.user_id)
        language = context.language
        name = match_text.game_name(match)
        if match.set_aside_at is not None:
            question = language.say(
                "This {game} match is damaged. Leave it? It will have no result.", game=name
            )
            return board_page.confirmation(match, question, "resignyes", language.say("Leave"))
        if action == "abort":
            if match.ply > 1:
                raise UserError("too_late_to_abort")
            question = language.say("Abort this {game} match? It will have no result.", game=name)
            return board_page.confirmation(match, question, "abortyes", language.say("Abort"))
        question = language.say("Resign this {game} match? You'll lose it.", game=name)
        return board_page.confirmation(match, question, "resignyes", language.say("Resign"))

    async def resign(self, context: InteractionContext, control: Control) -> Reply:
        """Give up, after having been asked."""
        answer = await self.services.matches.resign(
            context.actor,
            MatchId(control.match),
            interaction_id=context.id,
        )
        return self._done(context, answer)

    async def abort(self, context: InteractionContext, control: Control) -> Reply:
        """End a match that has hardly begun, after having been asked."""
        answer = await self.services.matches.abort(
            context.actor,
            MatchId(control.match),
            interaction_id=context.id,
        )
        return self._done(context, answer)


def _not_your_turn(match: Match, language: Language) -> UserError:
    """The refusal that names who is to move, if the match has not just ended."""
    if match.status.is_final:
        return UserError("match_over", status=match.status.value)
    on_turn = player_on_turn(match)
    person = None if on_turn is None else match.players[on_turn]
    return UserError("not_your_turn", player=match_text.mention(person, language))


def _read_way(text: str) -> MovePick:
    try:
        return MovePick.read(text)
    except PickLostError:
        raise UserError("out_of_date") from None
