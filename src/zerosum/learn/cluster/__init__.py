"""Training on many machines by Ray: the same roles as in one process, each in an actor of its own."""
