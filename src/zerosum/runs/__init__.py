"""Run directories: atomic writes, checkpoints, metrics, plots."""
