"""The games, a folder each: the rules as kernels, then the variant, its notation and its drawing."""
