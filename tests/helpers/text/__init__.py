"""What the tests of the arena share: games, stores, a page."""
