"""Alpha-beta search, with a table of positions; and expectimax."""
