"""Where games are played: in this process, in other processes of this machine, or on a cluster."""
