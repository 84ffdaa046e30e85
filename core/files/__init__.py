"""Files: written whole or not at all, and read as data, never as code."""
