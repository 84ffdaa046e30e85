"""What several test files share: games, policies that misbehave, processes, a browser, runs."""
