"""A whole match as an animation, for one person, who can share it here or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.domain.ids import read_id
from bot.domain.match import Match
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.history.ui.sources import REPLAY, ReplaySource, source_of, source_of_match
from bot.i18n import Language
from bot.ui.interaction import sharing
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Sought, match_command
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_menu
from bot.ui.interaction.sharing import private_page
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from games.view import BoardView, Text
from renderers import Replay, Style, describe

_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class FilmViews:
    """The positions in order, each with the number of its move, the move and its player.

    ``names`` are by player index. With an ``outcome`` the last position comes once more, as the end
    card. Views are made on demand: the film of a long match shows only some.
    """

    line: Playthrough
    names: Sequence[str]
    outcome: str
    language: Language

    def __len__(self) -> int:
        return self.line.plies + 1 + bool(self.outcome)

    def __getitem__(self, number: int) -> BoardView:
        line = self.line
        if number <= line.plies:
            return _with(line.view(number), _told(line, number, self.names, self.language))
        moves = Text.plural("{count} move", "{count} moves", by="count", count=line.plies)
        return _with(line.view(line.plies), Text("{said}", (("said", self.outcome),)), moves)


def _with(view: BoardView, *captions: Text) -> BoardView:
    return replace(view, captions=captions, longest=())


def _told(line: Playthrough, ply: int, names: Sequence[str], language: Language) -> Text:
    if ply == 0:
        return Text.plural(
            "Start of the match ({count} move)",
            "Start of the match ({count} moves)",
            by="count",
            count=line.plies,
        )
    before, seat = line.at(ply - 1), line.seats[ply - 1]
    player = names[before.game.seating(before.position)[seat]]
    side = language(before.game.seats[seat].name)
    return Text.of(
        "Move {number} of {count}: {move} by {player}",
        number=ply,
        count=line.plies,
        move=line.notations[ply - 1],
        player=f"{side} ({player})",
    )


def plain_outcome(match: Match, said: str, names: Sequence[str], language: Language) -> str:
    """How a match ended, for a picture: names for mentions, no Markdown. Empty while it runs."""
    if not match.status.is_final:
        return ""
    plain = _ESCAPED.sub(r"\1", " ".join(said.split()))
    for player, name in zip(match.players, names, strict=False):
        if player is not None:
            plain = plain.replace(match_text.mention(player, language), name)
    return plain


AS_FILE = "f"
"""Argument of the controls of a replay shown as a file."""
_LARGEST = 10 * 1024 * 1024
"""The most bytes of a replay, even where Discord would take more."""


@match_command("replay", Text.of("Replay a match as an animation"), Sought.SEEN)
async def replay_here(context: InteractionContext, match: Match) -> Reply:
    """``/match replay``: the animation of a match."""
    return await replay_page(context, await source_of_match(context, match))


@on_button("replay", how=PRIVATE)
async def replay(context: InteractionContext, click: Click) -> Reply:
    """**Replay** under a finished board or a position."""
    return await replay_page(context, await source_of(context, click.match))


@on_button("refilm")
async def replay_otherwise(context: InteractionContext, click: Click) -> Reply:
    """**Download** on a replay shows it as a file, **Picture** as a picture again."""
    source = await source_of(context, click.match)
    return await replay_page(context, source, as_file=click.arg == AS_FILE)


@on_button("share")
async def share(context: InteractionContext, click: Click) -> Reply:
    """**Share here** on a replay, once."""
    return await _shared(context, click, None)


@on_menu("shareto")
async def share_elsewhere(context: InteractionContext, click: Click) -> Reply:
    """**Share in another channel** on a replay, once."""
    channel_id = read_id(click.value)
    if channel_id is None or context.interaction.guild is None:
        raise UserError("out_of_date")
    return await _shared(context, click, channel_id)


async def _shared(context: InteractionContext, click: Click, channel_id: int | None) -> Reply:
    page_id, as_file = private_page(context), click.arg == AS_FILE

    async def public(everyone: InteractionContext) -> Reply:
        who = match_text.mention(everyone.user_id, everyone.language)
        by = "" if channel_id is None else everyone.language.say("Shared by {player}.", player=who)
        source = await source_of(everyone, click.match)
        return await replay_page(everyone, source, note=by, private=False, as_file=as_file)

    source = await source_of(context, click.match)
    note, is_shared = await sharing.share(context, page_id, public, channel_id)
    return await replay_page(context, source, note=note, may_share=not is_shared, as_file=as_file)


def film_key(match: Match, line: Playthrough) -> Hashable:
    """The key of a film beside its style, with the content, since all files have one name."""
    start = line.table.game.encode(line.positions[0])
    rules = (match.game, tuple(sorted(match.options.items())), start)
    return match.id, match.position_since, match.status, match.result, rules, line.notations


async def _film(
    context: InteractionContext, source: ReplaySource, style: Style, said: str
) -> Replay:
    match, line = source.match, source.line
    if not line.plies:
        raise UserError("no_moves_yet")
    outcome = plain_outcome(match, said, style.names, context.language)
    film = await context.reader.pictures.film(
        (film_key(match, line), outcome),
        FilmViews(line, style.names, outcome, context.language),
        style,
        min(_LARGEST, context.interaction.filesize_limit),
        partial(context.services.heavy.run, context.user_id),
    )
    if film is None:
        raise UserError("no_film")
    return film


async def replay_page(
    context: InteractionContext,
    source: ReplaySource,
    *,
    note: str = "",
    private: bool = True,
    may_share: bool = True,
    as_file: bool = False,
) -> Reply:
    """The animation of a match, with a ``note``; ``private`` adds the buttons.

    If it ``may_share``, it can be shared here, and from a server in another channel. ``as_file`` is
    a file to download instead of a picture.
    """
    match, line, language = source.match, source.line, context.language
    style = await source.reader(context).style(match)
    said = source.outcome(language)
    film = await _film(context, source, style, said)
    title = source.heading(language)
    alt = language.say(
        "The whole match as an animation, move by move. It ends like this: {position}",
        position=" ".join(describe(line.view(line.plies), style).split("\n")),
    )
    picture = ui.Picture(ui.File(REPLAY, film.gif), alt)
    told = [language.plural("{count} move", "{count} moves", by="count", count=line.plies)]
    if film.frames < line.plies + 1:
        told.append(
            language.say(
                "The file would be too large with every position, so it shows {count} of them.",
                count=film.frames,
            )
        )
    if film.scale < 1:
        told.append(language.say("It's smaller than usual, because the file would be too large."))
    frame = ui.container(
        ui.text(f"{title}\n{said}".rstrip()),
        ui.attached(picture.file) if as_file else ui.gallery(picture),
        ui.text("\n".join(told)),
    )
    buttons: list[ui.Button] = []
    menus: list[ui.Row] = []
    if private:
        buttons.append(
            ui.button(Control("history", match.id, match.version), language.say("History"))
        )
        other = language.say("Picture") if as_file else language.say("Download")
        shown, turned = (AS_FILE, "") if as_file else ("", AS_FILE)
        buttons.append(ui.button(Control("refilm", match.id, match.version, turned), other))
        if may_share:
            share = Control("share", match.id, match.version, shown)
            buttons.insert(0, ui.button(share, language.say("Share here")))
            if context.interaction.guild is not None:
                prompt = language.say("Share in another channel")
                menus.append(
                    ui.entity_menu("channel", replace(share, action="shareto"), prompt, ())
                )
    noted: list[ui.Part] = [ui.text(note)] if note else []
    # The pressed button is below a picture that fills a phone, so the outcome is, too.
    parts = [frame, *noted] if private else [*noted, frame]
    page = Page(*parts, *ui.rows(buttons), *menus)
    reply = Reply(note or said or told[0], page)
    return source.carried(reply) if private else reply
