"""What `ludus bench` measures."""
