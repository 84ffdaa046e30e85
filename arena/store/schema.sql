-- The tables of a store; what a file must hold to be one (schema.py).

CREATE TABLE plan (
    document TEXT NOT NULL,                 -- all that the results depend on, as JSON
    checksum INTEGER NOT NULL
);
CREATE TABLE pairings (
    pairing INTEGER PRIMARY KEY,            -- its number in the plan
    game TEXT NOT NULL,                     -- the game's spec
    a TEXT NOT NULL, b TEXT NOT NULL,       -- the policies' names; in even games a is player 0, in odd ones player 1
    action_bytes INTEGER NOT NULL,          -- how many bytes an action takes in games.actions, 1 or 2
    added INTEGER NOT NULL                  -- how many games were added, so that it shows when some are lost
);
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,            -- from when the tournament was started or resumed until it stopped
    began TEXT NOT NULL,                    -- in UTC
    ludus TEXT NOT NULL, python TEXT NOT NULL, numpy TEXT NOT NULL, platform TEXT NOT NULL,
    cpus INTEGER NOT NULL, workers INTEGER NOT NULL, engine TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE games (
    pairing INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- games 2j and 2j + 1 have the same opening
    key INTEGER NOT NULL,                   -- all randomness of the game: 64 bits, shown as signed
    opening_plies INTEGER NOT NULL,         -- how many of the actions were the opening's
    plies INTEGER NOT NULL,                 -- how many actions there are
    result INTEGER NOT NULL,                -- player 0's: 1, 0, -1
    ending INTEGER NOT NULL,                -- 0 rules, 1 max_plies, 2 illegal, 3 error, 4 time, 5 died, 6 resigned
    reason TEXT,                            -- what went wrong, where something did
    moves_0 INTEGER NOT NULL, moves_1 INTEGER NOT NULL,     -- how many moves each player chose
    seconds_0 REAL NOT NULL, seconds_1 REAL NOT NULL,       -- how long each player thought
    nodes_0 INTEGER NOT NULL, nodes_1 INTEGER NOT NULL,     -- how many positions each player visited; -1 if it does not count them
    session INTEGER NOT NULL,
    actions BLOB NOT NULL,                  -- all of them from the start, action_bytes each, the low byte first
    checksum INTEGER NOT NULL,
    PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
CREATE TABLE speakers (
    speaker INTEGER PRIMARY KEY,
    system TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,        -- what its transcripts have in common
    question TEXT NOT NULL                  -- the first of their questions
);
CREATE TABLE attempts (
    pairing INTEGER NOT NULL, number INTEGER NOT NULL,      -- the game
    ply INTEGER NOT NULL,                   -- how many actions the game had before
    attempt INTEGER NOT NULL,               -- 0 for the first question about this move
    player INTEGER NOT NULL,                -- whose move it was, 0 or 1
    speaker INTEGER NOT NULL,
    fault TEXT,                             -- what is wrong with the reply, where something is
    milliseconds REAL NOT NULL,             -- how long the reply took
    requests INTEGER NOT NULL,              -- how many requests it took
    tokens_in INTEGER, tokens_out INTEGER,  -- where they are known
    said BLOB NOT NULL,                     -- question, reply, reason and reasoning, compressed (transcripts.py)
    PRIMARY KEY (pairing, number, ply, attempt)
) WITHOUT ROWID;
