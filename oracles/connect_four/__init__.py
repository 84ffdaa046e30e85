"""Connect Four exactly."""


