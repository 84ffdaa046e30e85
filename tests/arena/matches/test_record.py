"""Game records: what is written is read again as it was, people can write one by hand, and mistakes get a line number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.arena.matches.games import ENDINGS, GameRecord, Pairing
from ludus.arena.matches.record import parse, write
from ludus.envs import make_game

from ...helpers.games import VARIANTS

PAIRING = Pairing("tictactoe", "random", "greedy")


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
    assert parse(text + text.replace("\n", "\r\n")) == [record, record]
    assert all(len(line) <= 100 for line in text.rpartition("]\n")[2].splitlines())


def test_a_record_reads_like_this():
    state = [0, 1, 4, 2, 8]  # a1 b1 b2 c1 c3
    record = GameRecord(PAIRING, 17, 99, 2, tuple(state), 1, "rules", "", (2, 1), (0.25, 1e-05), (1560, None))
    assert write(record, {"Date": "2031-05-17"}) == (
        '[Game "tictactoe"]\n[Player 0 "greedy"]\n[Player 1 "random"]\n[Result "1-0"]\n[Ending "rules"]\n[Opening "2"]\n'
        '[Number "17"]\n[Key "99"]\n[Moves "2 1"]\n[Seconds "0.25 1e-05"]\n[Nodes "1560 -"]\n[Date "2031-05-17"]\n\n'
        "{opening} 1. a1 2. b1 {play} 3. b2 4. c1 5. c3 1-0\n"
    )


GOOD = '[Game "tictactoe"]\n[Player 0 "a"]\n[Player 1 "b"]\n[Result "1-0"]\n\n1. a1 2. b1 3. b2\n4. c1 5. c3 1-0\n'


@pytest.mark.parametrize("line", ["Ending", "Opening", "Number", "Key", "Moves", "Seconds", "Nodes"])
def test_what_another_program_says_under_a_name_of_ours_counts_as_missing(line):
    for value in ("Sicilian", "-1", "1 2 3", "9" * 21):
        assert parse(GOOD.replace('"1-0"]', f'"1-0"]\n[{line} "{value}"]')) == parse(GOOD)


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
