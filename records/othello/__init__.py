"""Files of Othello's players and programs: transcripts, GGF, OBF, WTHOR."""
