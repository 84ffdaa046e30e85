"""Playing a game on the terminal, and stepping through a recorded one."""
