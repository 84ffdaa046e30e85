"""Networks that say, of a position, how likely each action is to be good and what it is worth; and how they are asked quickly."""
