"""The policies that come with ludus: one file each."""
