"""The command line: one file a verb; the only room that composes the others."""
