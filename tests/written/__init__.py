"""What each version of Ludus wrote, so that later ones are known to read it: a folder for each version, and what its files say.

    VERSION/runs/NAME           a run of every trainer, stopped before its end
    VERSION/finished.sqlite     a tournament
    VERSION/unfinished.sqlite   a tournament that was stopped after its first games
    VERSION/spoken.sqlite       a tournament with what an engine was asked and answered
    VERSION/record.txt          the games of finished.sqlite as text
    VERSION/saved.json          a game saved in `ludus play`
    VERSION/table.npz           the best response to a policy; beside it answers.kept, the answers that its exact grade kept
    VERSION/positions.jsonl     positions with exact values; beside it their data card
    VERSION/expected.json       what all these say (reading.py), as the version that wrote them understood them

    python -m tests.written.make      writes what is missing in the folder of this version, and nothing else

A file that is there is never written again: made anew, it would only show that this version reads what it writes itself. A new
trainer takes a line in make.py; a new format takes new files beside the old ones.
"""
