"""What the tests of trainers share."""
