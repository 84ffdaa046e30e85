"""Game records: what is written is read again as it was, people can write one by hand, and mistakes get a line number."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.arena.matches.games import ENDINGS, GameRecord, Pairing
from ludus.arena.matches.record import parse, write
from ludus.envs import make_game

from ...helpers.arena.played import random_games
from ...helpers.games import VARIANTS

PAIRING = Pairing("tictactoe", "random", "greedy")


def records(spec, count=20, seed=0):
    return random_games(spec, range(count), seed).records(Pairing(spec, "random", "minimax:depth=2"))


@pytest.mark.parametrize("spec", VARIANTS)
def test_what_is_written_is_read_again_as_it_was(spec):
    games = records(spec)
    assert any(game.reason for game in games)
    assert all(len(line) <= 100 for game in games for line in write(game).rpartition("]\n")[2].splitlines())
    assert [parse(write(game)) for game in games] == [[game] for game in games]
    assert parse("\n".join(map(write, games))) == games
    assert parse("".join(map(write, games)).replace("\n", "\r\n")) == games


numbers = st.integers(0, 2**64 - 1)
times = st.floats(0, allow_nan=False)


@settings(max_examples=200)
@given(st.data())
def test_any_record_is_read_again_as_it_was(data):
    game = make_game(data.draw(st.sampled_from(VARIANTS), "game"))
    state, actions = game.start, []
    for _ in range(data.draw(st.integers(0, 12), "plies")):
        if game.outcome(state) is None:
            actions.append(data.draw(st.sampled_from(game.legal_actions(state))))
            state = game.play(state, actions[-1])
    over = game.outcome(state)
    texts = st.text(st.characters(codec="utf-8") | st.sampled_from('"\\[]{}\n\r\u2028\x85\udce4'))  # the last is half of one
    record = GameRecord(
        Pairing(game.spec, data.draw(texts), data.draw(texts)),
        data.draw(numbers),
        data.draw(numbers),
        data.draw(st.integers(0, len(actions))),
        tuple(actions),
        over[0] if over else data.draw(st.sampled_from([1, 0, -1])),
        "rules" if over else data.draw(st.sampled_from(ENDINGS[1:])),
        data.draw(texts),
        (data.draw(numbers), data.draw(numbers)),
        (data.draw(times), data.draw(times)),
        (data.draw(st.none() | numbers), data.draw(st.none() | numbers)),
    )
    text = write(record, {"Date": data.draw(texts)})
    assert parse(text.encode().decode()) == [record]
    assert parse(text + text) == [record, record]


def test_a_record_reads_like_this():
    state = [0, 1, 4, 2, 8]  # a1 b1 b2 c1 c3
    record = GameRecord(PAIRING, 17, 99, 2, tuple(state), 1, "rules", "", (2, 1), (0.25, 1e-05), (1560, None))
    assert write(record, {"Date": "2031-05-17"}) == (
        '[Game "tictactoe"]\n[Player 0 "greedy"]\n[Player 1 "random"]\n[White "greedy"]\n[Black "random"]\n[Result "1-0"]\n'
        '[Ending "rules"]\n[Opening "2"]\n[Number "17"]\n[Key "99"]\n[Moves "2 1"]\n[Seconds "0.25 1e-05"]\n[Nodes "1560 -"]\n'
        '[Date "2031-05-17"]\n\n'
        "{opening} 1. a1 2. b1 {play} 3. b2 4. c1 5. c3 1-0\n"
    )


def test_one_can_write_a_game_by_hand():
    text = """
        [Game "quarto"]
        [Player 0 "Ada"]
        [Player 1 "Bob"]
        [Result "1-0"]
        [Ending "time"]
        [Event "in the kitchen"]
        {a slow one} 1. Give 3
        2.   b2 3.
        give   5 1-0
    """
    [record] = parse(text)
    game = make_game("quarto")
    assert record.pairing == ("quarto", "Ada", "Bob")
    assert [game.moves[action] for action in record.actions] == ["give 3", "b2", "give 5"]
    assert (record.number, record.key, record.opening, record.seconds) == (0, 0, 0, (0.0, 0.0))
    assert record.moves == (1, 2)
    assert (record.result, record.ending, record.reason) == (1, "time", "")


GOOD = '[Game "tictactoe"]\n[Player 0 "a"]\n[Player 1 "b"]\n[Result "1-0"]\n\n1. a1 2. b1 3. b2\n4. c1 5. c3 1-0\n'


@pytest.mark.parametrize("line", ["Ending", "Opening", "Number", "Key", "Moves", "Seconds", "Nodes"])
@pytest.mark.parametrize("value", ["Sicilian", "-1", "1 2 3", "9" * 21])
def test_what_another_program_says_under_a_name_of_ours_counts_as_missing(line, value):
    assert parse(GOOD.replace('"1-0"]', f'"1-0"]\n[{line} "{value}"]')) == parse(GOOD)


@pytest.mark.parametrize("text", [f"\ufeff{GOOD}", f"{GOOD}\ufeff{GOOD}"], ids=["at the front", "of a file that was appended"])
def test_a_byte_order_mark_is_passed_over(text):
    assert {game.actions for game in parse(text)} == {parse(GOOD)[0].actions}


@pytest.mark.filterwarnings("ignore:line")
@settings(max_examples=300)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.text(st.sampled_from('[]{}". 1-0/\\abn\n'), max_size=6))
def test_whatever_is_wrong_it_is_a_sentence_with_a_line(place, cut, put):
    text = GOOD[:place] + put + GOOD[place + cut :]
    try:
        games, said = parse(text), ""
    except ValueError as error:
        games, said = [], str(error)
    assert parse("".join(map(write, games))) == games
    if said:
        assert re.match(r"line \d+: .{10}", said)
        assert int(re.findall(r"\d+", said)[0]) <= text.count("\n") + 1


def test_moves_of_the_opening_are_not_the_players():
    [record] = parse(GOOD.replace('"1-0"]', '"1-0"]\n[Opening "2"]'))
    assert (record.opening, record.moves) == (2, (2, 1))


def test_a_game_may_start_from_a_position():
    text = GOOD.replace("1. a1 2. b1 3. b2\n4. c1 5. c3", "1. b2\n2. c1 3. c3").replace('"1-0"]', '"1-0"]\n[Start "XO------- X"]')
    [record] = parse(text)
    assert (record.start, record.moves) == ("XO------- X", (2, 1))
    assert parse(write(record)) == [record]
    with pytest.raises(ValueError, match=r"^line 5: 'XO' is not a position"):
        parse(text.replace("XO------- X", "XO"))
