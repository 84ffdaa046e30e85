"""Processes, disks, a browser."""
