"""Who plays the games: this process, others, workers, or a cluster."""
