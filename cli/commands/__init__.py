"""The commands: one file each. `arguments` adds the options of a command to its parser; `run` parses, calls and prints.

`run` returns the exit status, or None for 0. The mistakes of a user are a ValueError or an OSError, whose message is printed.
"""
