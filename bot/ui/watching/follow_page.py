"""What people see of the matches and the players they follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.i18n import Language
from bot.store.follows import PlayerFollow
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages.components import (
    CHOICES,
    Button,
    Control,
    Option,
    Page,
    Part,
    Reply,
    button,
    menu,
    rows,
    text,
)
from bot.ui.pages.display_names import NameBook, clean, mark_of
from bot.ui.pages.presenter import BoardPresenter


def unfollow_control(match_id: MatchId) -> Control:
    """**Unfollow**, by which the message that shows a followed match is known."""
    return Control("unfollow", match_id)


def may_be_followed(match: Match) -> bool:
    """Whether there is something to follow: a running match of a server."""
    return match.status is MatchStatus.RUNNING and match.venue is not Venue.DIRECT


def follow_button(match: Match, language: Language) -> Button:
    """**Follow**, under what shows a match to people who do not play in it."""
    return button(Control("follow", match.id), language.say("Follow"))


async def followed_board(
    match: Match, presenter: BoardPresenter, language: Language, *, drawn: bool = True
) -> Reply:
    """The board of a match in the direct messages of a person who follows it."""
    there = match_text.place(match)
    if match.status is MatchStatus.RUNNING:
        lead = language.say("You follow this match: {place}", place=there)
    else:
        lead = language.say("A match you followed is over: {place}", place=there)
    shown = await board_page.board(
        match, presenter, language, lead=lead, buttons=False, drawn=drawn
    )
    if shown.page is None:
        return shown
    if match.status is not MatchStatus.RUNNING:
        return shown
    stop = button(unfollow_control(match.id), language.say("Unfollow"))
    return replace(shown, page=Page(*shown.page.components, *rows([stop])))


def over_line(match: Match, language: Language) -> str:
    """The line that tells how a match ended that its reader follows."""
    return language.say(
        "A {game} match that you follow is over. {outcome} {place}",
        game=match_text.game_name(match),
        outcome=match_text.turn(match, language),
        place=match_text.place(match),
    )


def watched(shown: Reply, match: Match, language: Language, *, is_following: bool) -> Reply:
    """The board for a person who does not play, with **Follow** under it."""
    if shown.page is None or not may_be_followed(match):
        return shown
    button_here = follow_button(match, language)
    if is_following:
        button_here = button(unfollow_control(match.id), language.say("Unfollow"))
    players = [each for each in match.players if each is not None and each > 0]
    buttons = [button_here]
    if players:
        control = Control("fan", match.id)
        buttons.append(button(control, language.say("Follow a player")))
    return replace(shown, page=Page(*shown.page.components, *rows(buttons)))


async def which_player_page(match: Match, names: NameBook, language: Language) -> Reply:
    """Which player's next matches to follow."""
    players = [each for each in match.players if each is not None and each > 0]
    options = [
        Option(
            str(each),
            clean(await names.name(each, language), longest=40),
            marks=(mark_of(each),),
        )
        for each in players
    ]
    question = language.say(
        "Whose matches do you want to follow? When one starts in this server, you get it as a"
        " direct message."
    )
    row = menu(Control("fanof", match.id), language.say("Choose a player"), options)
    return Reply(question, Page(text(question), row))


async def follows_page(
    matches: Sequence[Match],
    players: Sequence[PlayerFollow],
    names: NameBook,
    language: Language,
    *,
    lead: str = "",
    is_blocked: bool = False,
    in_server: bool = True,
) -> Reply:
    """What a person follows, with menus to stop following it.

    ``is_blocked`` says that Discord has blocked a direct message to them; ``in_server`` that they
    ask in a server, where boards of its matches can be shown.
    """
    title = language.say("What you follow")
    said = [f"### {title}"]
    if lead:
        said.append(f"**{lead}**")
    if is_blocked:
        blocked = language.say(
            "Discord blocked a direct message to you. Allow direct messages from this server, or"
            " you won't see the matches you follow."
        )
        said.append(blocked)
    said += [match_list.seen_line(each, language) for each in matches]
    if players:
        there = match_text.mentions(tuple(each.other_id for each in players), language)
        said.append(language.say("Next matches of {players}", players=there))
    if not matches and not players:
        said.append(
            language.say(
                "You follow nothing yet. Open a match with /view, or from the list below, and press"
                " Follow: a direct message then shows it to you after each move."
            )
        )
    items: list[Part] = [text(match_text.cut("\n".join(said), 3800))]
    if matches:
        options = [await match_list.option(each, names, language) for each in matches[:CHOICES]]
        if in_server:
            items.append(menu(Control("view"), language.say("Show a board"), options))
        items.append(menu(Control("unfollowed"), language.say("Unfollow a match"), options))
    if players:
        options = [
            Option(
                f"{each.other_id}/{each.guild_id}",
                clean(await names.name(each.other_id, language), longest=40),
                marks=(mark_of(each.other_id), mark_of(each.guild_id)),
            )
            for each in players[:CHOICES]
        ]
        items.append(menu(Control("nofan"), language.say("Unfollow a player"), options))
    if in_server:
        running = Control("matches", arg="server/0")
        items += rows([button(running, language.say("Running in this server"))])
    return Reply(lead or title, Page(*items))


def player_page(
    player: UserId, lines: Sequence[str], options: Sequence[Option], language: Language
) -> Reply:
    """The running matches of a player in this server, and **Follow** for the next ones."""
    title = language.say("Running matches of {player}", player=match_text.mention(player, language))
    none = language.say("No running matches here.")
    said = "\n".join((f"### {title}", *(lines or (none,))))
    items: list[Part] = [text(match_text.cut(said, 3800))]
    if options:
        items.append(menu(Control("view"), language.say("Show a board"), options))
    following = button(Control("fanone", arg=str(player)), language.say("Follow their matches"))
    items += rows([following])
    return Reply(title, Page(*items))
