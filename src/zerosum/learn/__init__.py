"""Policies learnt by self-play: Deep CFR and its kin, on the buffers and networks they share."""
