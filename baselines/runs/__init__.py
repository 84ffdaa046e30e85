"""What all trainers have in common: the plan and folder of a run, its parts, measuring, plots."""
