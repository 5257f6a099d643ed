"""Looking ahead: proofs of who wins."""
