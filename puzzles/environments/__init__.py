"""The problems as Gymnasium environments."""
