"""The commands, one file each, with `arguments` and `run`."""
