"""Games in which the first policy speaks, for tests of what keeps and shows what was said."""

import numpy as np

from ludus.agents.answers import Attempt, Transcript
from ludus.envs import make_game
from ludus.text import prompt, prompt_checksum

from .played import random_games

EVIL = "<script>alert('reply')</script><img src=x onerror=alert(1)> \x1b[2J\x1b]0;title\x07 \0 \u202e } ] \\ \" </pre>"
FAULTS = ("nothing", "ambiguous", "unknown", "illegal", "cut off", "refused", "late", "failed")


def spoken_games(spec, numbers, seed=0):
    """Random games, some of them forfeited by the first policy, with what it was asked and what it replied."""
    game, played, draw = make_game(spec), random_games(spec, numbers, seed), np.random.default_rng(seed)
    lines, transcripts = np.split(played.actions.astype(int), np.cumsum(played.plies)[:-1]), {}
    for row, line in enumerate(lines):
        state, seat = game.start, int(played.numbers[row]) % 2
        for ply, action in enumerate([*line.tolist(), -1]):
            is_over = action < 0 and row not in played.reasons
            if ply >= played.openings[row] and game.player(state) == seat and not is_over:
                transcripts[row, ply] = said(game, state, action, draw)
            state = game.play(state, action) if action >= 0 else state
    return played._replace(transcripts=transcripts)


def said(game, state, action, draw):
    """A conversation about a move; about one that never came with the action -1."""
    faults = [FAULTS[number] for number in draw.integers(0, len(FAULTS), draw.choice([0, 0, 0, 1, 2]) + (action < 0))]
    question, attempts = prompt(game, state), []
    for fault in faults:
        reason = f"your reply is {fault}"
        costs = float(draw.random() * 900), 2, 400, 30
        attempts.append(Attempt(question, f"{EVIL} {draw.integers(10**9)}", fault, reason, *costs, f"Thought: {EVIL}"))
        question = f"That was no move: {reason}. Answer again."
    if action >= 0:
        reply = f"**Thinking** about it – é🎲…\nI play <move>{game.move_name(action)}</move>"
        tokens = (None, None) if draw.random() < 0.1 else (int(draw.integers(300, 500)), int(draw.integers(5, 50)))
        attempts.append(Attempt(question, reply, None, "", float(draw.random() * 900), 1, *tokens))
    return Transcript(tuple(attempts), "You are a careful player.", f"tiny-{game.name}", prompt_checksum(game))
