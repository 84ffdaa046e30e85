"""Connect Four exactly."""
