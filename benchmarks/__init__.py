"""What every figure of the pages is measured by: a script each, run as `python -m benchmarks.FOLDER.NAME`."""
