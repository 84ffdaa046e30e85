"""What evolved players share: networks as flat arrays, games of a whole generation in lockstep, a hall of fame, a drawing."""
