"""Worker processes, of this machine or of a cluster, that do calls: one process, pools of them, and the engines by name."""
