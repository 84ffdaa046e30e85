"""Monte-Carlo tree search: with random playouts, or guided by a network as AlphaZero does."""
