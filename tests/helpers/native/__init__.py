"""What the tests of compiled kernels share."""
