"""What Ray's words mean to a user, and what to do."""

from __future__ import annotations

NO_NODE = ("Ray expects this IP address", "node_ip_address.json", "Could not find any running Ray instance")


def reason(said: str, address: str) -> str:
    """One line for what Ray wrote when it failed to start or to join."""
    if "AuthToken" in said or "nauthenticated" in said:
        return "the token is not the cluster's; give the right one with --token FILE or RAY_AUTH_TOKEN"
    if "ersion mismatch" in said:
        versions = [line.strip() for line in said.splitlines() if line.strip().startswith(("Ray: ", "Python: "))]
        there = " and ".join(versions[:2]) or "another version"
        return f"the cluster runs {there}, this process does not; install the same on both sides"
    if any(words in said for words in NO_NODE):
        return f"no node of the cluster is on this machine; make it one: zerosum cluster join {address}"
    return f"Ray failed ({(said.strip() or 'no reason given').splitlines()[-1]})"
