"""The games: one file each, rules first, then the variant, its notation and its drawing."""
