"""Settings of games, policies and trainers: how specs are read, and numbers checked."""
