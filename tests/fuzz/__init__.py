"""Fuzzing of every kind of file and text that ludus reads: damaged at random, it reads as before or is refused in a sentence."""
