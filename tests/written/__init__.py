"""Small files of all formats, and what they say, so that a change of a format or of its reader is noticed.

    files/runs/NAME           a run of every trainer, stopped before its end
    files/finished.sqlite     a tournament
    files/unfinished.sqlite   a tournament that was stopped after its first games
    files/spoken.sqlite       a tournament with what an engine was asked and answered
    files/record.txt          the games of finished.sqlite as text
    files/saved.json          a game saved in `ludus play`
    files/table.npz           the best response to a policy; beside it answers.kept, the answers that its exact grade kept
    files/positions.jsonl     positions with exact values; beside it their data card
    files/expected.json       what all these say (reading.py)

    python -m tests.written.make      writes all of them anew, after a change of a format that is meant

A new trainer or format takes a line in make.py.
"""
