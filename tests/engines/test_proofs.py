"""Boards that are solved: what was proved, and a check of it by the rules alone."""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import pytest

from benchmarks.prove import prove as prove_in_c
from engines.__main__ import main as engines
from engines.proofs import prove, solver
from engines.quux.board import QuuxBoard
from engines.quux.placing import Placing
from engines.references import OnePly
from games import catalog
from games.certificate import (
    Certificate,
    FlawError,
    main,
    read_certificates,
    write_certificates,
)
from games.quux import Quux
from games.search import ForcedWin

PROOFS = Path(__file__).parents[2] / "benchmarks" / "results" / "proofs"


def small(opening: str = "b2") -> Certificate:
    found = prove(catalog.create("quax", {"size": 3, "pie": "off"}), (opening,))
    assert found is not None
    return found


def test_the_solver_agrees_with_exhaustive_search() -> None:
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    known, rng = solver(game, 0), Random(3)
    compared = 0
    while compared < 25:
        position = game.initial(rng)
        for _ in range(rng.randrange(4, 7)):
            if game.outcome(position) is None:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is None:
            mover = game.to_move(position)
            wins = bool(ForcedWin().moves(game, position))
            assert known.wins(position, 0) == (wins == (mover == 0))
            compared += 1


def chain_while_placing(game: Any, position: Any, seat: int) -> bool:
    """Whether the seat can force its chain before the movement phase, by the rules alone."""
    outcome = game.outcome(position)
    if outcome is not None:
        return bool(outcome.winners == (seat,))
    if position.is_movement:
        return False
    after = (game.play(position, move) for move in game.legal_moves(position))
    found = (chain_while_placing(game, each, seat) for each in after)
    return any(found) if game.to_move(position) == seat else all(found)


@pytest.mark.parametrize(
    ("size", "supply", "placed"),
    [
        pytest.param(3, "own", 9, marks=pytest.mark.long),
        (3, "paired", 9),
        (3, "any", 9),
        (4, "paired", 22),
    ],
)
def test_what_is_said_of_quux_agrees_with_exhaustive_search(
    size: int, supply: str, placed: int
) -> None:
    game = catalog.create("quux", {"size": size, "supply": supply, "pie": "off"})
    known, rng = [solver(game, seat) for seat in (0, 1)], Random(supply)
    seen: Counter[str] = Counter()
    while seen.total() < 60:
        position = game.initial(rng)
        for _ in range(rng.randrange(placed, placed + 5)):
            if game.outcome(position) is None and not position.is_movement:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is not None:
            continue
        wins = [chain_while_placing(game, position, seat) for seat in (0, 1)]
        assert [known[seat].wins(position, seat) for seat in (0, 1)] == wins
        seen["WB"[wins.index(True)] if any(wins) else "-"] += 1
    assert set(seen) == set("WB-"), seen


def test_the_top_of_quux_forces_each_chain_it_can_and_prevents_each_it_can() -> None:
    game = Quux({"size": 3, "supply": "paired", "pie": "off"})
    board, rng = QuuxBoard(game, 3), Random(8)
    search = Placing(game, OnePly(board, board.judge))
    seen: Counter[str] = Counter()
    while seen.total() < 8 or len(seen) < 3:
        position = game.initial(rng)
        for _ in range(rng.randrange(11, 15)):
            if game.outcome(position) is None:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is not None or position.is_movement:
            continue
        mover = position.mover
        after = {move: game.play(position, move) for move in game.legal_moves(position)}
        wins = {move for move, each in after.items() if chain_while_placing(game, each, mover)}
        loses = {move for move, each in after.items() if chain_while_placing(game, each, 1 - mover)}
        found = search.candidates(position, 10_000, rng)
        assert {each.move for each in found} == set(after)
        assert {each.move for each in found if each.is_lost} <= loses
        assert found[0].is_won == bool(wins)
        assert found[0].move in (wins or set(after) - loses or loses)
        seen["won" if wins else "lost" if loses == set(after) else "open"] += 1


def test_the_top_of_quux_forces_a_chain_on_a_board_of_another_size_than_the_options() -> None:
    game = Quux({"size": 4, "supply": "paired", "pie": "off"})
    search = Placing(game, OnePly(board := QuuxBoard(game, 3), board.judge))
    position = game.decode("Lm,l,1/M,1,Lm/lS,Ls,1 W 133 223 p")
    (best, *_) = search.candidates(position, 10_000, Random(1))
    assert best.is_won
    assert chain_while_placing(game, game.play(position, best.move), 0)


@pytest.mark.long
def test_the_command_writes_proofs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proofs"
    words = ["prove", str(file), "--game", "quux", "--option", "size=3", "--opening", "Lb2"]
    assert engines([*words, "--opening", "La1 Lb2", "--option", "supply=paired"]) == 0
    assert capsys.readouterr().out.count("seat 0 wins") == 2
    assert [each.check() > 50 for each in read_certificates(file)] == [True, True]
    assert engines(words) == 0
    assert capsys.readouterr().out == "Lb2: no seat is shown to win\n"
    assert not list(read_certificates(file))
    assert engines(["prove", str(file), "--game", "pux", "--opening", ""]) == 1
    assert "pux" in capsys.readouterr().err


@pytest.mark.parametrize(("opening", "winner"), [("a1", 1), ("b1", 0), ("a2", 0), ("b2", 0)])
def test_a_certificate_of_the_solver_holds(opening: str, winner: int) -> None:
    certificate = small(opening)
    assert certificate.winner == winner
    assert certificate.check() > 50


def test_a_certificate_without_one_of_its_answers_is_refused() -> None:
    certificate = small()
    for state in list(certificate.answers)[:5]:
        rest = {key: move for key, move in certificate.answers.items() if key != state}
        with pytest.raises(FlawError):
            replace(certificate, answers=rest).check()


def test_a_wrong_winner_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flawed = replace(small(), winner=1)
    with pytest.raises(FlawError):
        flawed.check()
    file = tmp_path / "flawed.jsonl.gz"
    write_certificates(file, [small(), flawed])
    assert main([str(file)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert "seat 0 wins" in first
    assert "no answer" in second or "not won" in second


def test_a_certificate_holds_where_its_answer_wins_and_not_where_the_other_side_has_won() -> None:
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    opening = ("a1", "a3", "b1", "b3")
    position = game.initial(Random(0))
    for text in opening:
        position = game.play(position, game.parse(position, text))
    wins = Certificate("quax", dict(game.options), opening, 0, {game.encode(position): "c1"})
    assert wins.check() == 2
    with pytest.raises(FlawError, match="not won"):
        replace(wins, opening=(*opening, "c1"), winner=1).check()


def test_the_stored_proofs_are_checked_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["games.certificate", str(PROOFS / "quax_3.jsonl.gz")])
    monkeypatch.delitem(sys.modules, "games.certificate")
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("games.certificate", run_name="__main__")
    assert caught.value.code == 0
    assert capsys.readouterr().out.count("wins, checked in") == 4


def test_the_same_board_has_the_same_certificate(tmp_path: Path) -> None:
    files = (tmp_path / "one", tmp_path / "two")
    for file in files:
        write_certificates(file, [small()])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert list(read_certificates(files[0])) == [small()]


@pytest.mark.skipif(which("cc") is None, reason="the solver of benchmarks is in C")
def test_certificates_of_the_solver_in_c_hold(tmp_path: Path) -> None:
    found = prove_in_c(3, ["a1", "b1", "a2", "b2"], tmp_path, bits=16)
    assert [each.winner for each in found] == [1, 0, 0, 0]
    for each in found:
        assert each.check() > 50


def test_a_player_of_five_by_five_against_the_proof_loses() -> None:
    """The whole of it takes minutes, so random games stand for all of them here."""
    rng = Random(5)
    for stored in read_certificates(PROOFS / "quax_5.jsonl.gz"):
        game = catalog.create("quax", stored.options)
        for _ in range(100):
            position = game.initial(rng)
            for text in stored.opening:
                position = game.play(position, game.parse(position, text))
            while (outcome := game.outcome(position)) is None:
                answer = stored.answers.get(game.encode(position))
                if answer is not None:
                    move = game.parse(position, answer)
                elif game.to_move(position) == stored.winner:
                    (name, *_) = ForcedWin(1).moves(game, position)
                    move = game.parse(position, name)
                else:
                    move = rng.choice(list(game.legal_moves(position)))
                position = game.play(position, move)
            assert outcome.winners == (stored.winner,)


@pytest.mark.parametrize("size", [3, 4])
def test_what_is_stored_of_a_size_is_proved(size: int) -> None:
    stored = list(read_certificates(PROOFS / f"quax_{size}.jsonl.gz"))
    assert {each.opening for each in stored} == {("a1",), ("b1",), ("a2",), ("b2",)}
    # The whole of the larger board takes seconds: one opening of it is enough here.
    for each in stored if size == 3 else stored[:1]:
        each.check()


@pytest.mark.long
def test_white_wins_quux_three_by_three_with_paired_supply() -> None:
    stored = list(read_certificates(PROOFS / "quux_3.jsonl.gz"))
    assert {each.opening for each in stored} == {("La1",), ("Lb1",), ("La2",), ("Lb2",)}
    for each in stored:
        assert (each.winner, each.options["supply"]) == (0, "paired")
        assert each.check() > 1000


@pytest.mark.long
def test_what_is_stored_of_quux_four_by_four_is_proved() -> None:
    stored = list(read_certificates(PROOFS / "quux_4.jsonl.gz"))
    assert len({each.opening for each in stored}) == len(stored) > 10
    for each in stored:
        each.check()
