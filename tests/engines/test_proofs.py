"""Boards that are solved: what was proved, and a check of it by the rules alone."""

from __future__ import annotations

import runpy
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import which

import pytest

from benchmarks.prove import prove
from engines.quax.solver import Solver
from games import catalog
from games.certificate import (
    Certificate,
    FlawError,
    main,
    read_certificates,
    write_certificates,
)
from games.search import ForcedWin

PROOFS = Path(__file__).parents[2] / "benchmarks" / "results" / "proofs"


def small(opening: str = "b2") -> Certificate:
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    return Solver(game).certificate((opening,))


def test_the_solver_agrees_with_exhaustive_search() -> None:
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    solver, rng = Solver(game), Random(3)
    compared = 0
    while compared < 25:
        position = game.initial(rng)
        for _ in range(rng.randrange(4, 7)):
            if game.outcome(position) is None:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is None:
            assert solver.wins(position) == bool(ForcedWin().moves(game, position))
            compared += 1


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


def test_a_certificate_of_the_wrong_winner_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    found = prove(3, ["a1", "b1", "a2", "b2"], tmp_path, bits=16)
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
