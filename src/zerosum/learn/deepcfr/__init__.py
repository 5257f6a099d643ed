"""Deep CFR, single Deep CFR and neural fictitious self-play: chief, workers, learner and evaluator."""
