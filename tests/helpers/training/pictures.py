"""Runs without their pictures, which take most of the time of a small run."""


def no_pictures(patch):
    """Lets runs draw nothing."""
    patch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: None)
    patch.setattr("ludus.baselines.tabular.tabular.plot_outcomes", lambda *_, **__: None)
