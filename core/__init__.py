"""What everything stands on: specs and their bounds, files, registries of plug-ins, and what is trusted."""
