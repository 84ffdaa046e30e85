"""Playing a game on the terminal or in a window, and stepping through a recorded one."""
