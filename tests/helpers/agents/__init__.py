"""What the tests of policies, searches and oracles share."""
