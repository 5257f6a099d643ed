"""One exception root. Every message says where, what it got and what it wanted, in one line."""


class ZerosumError(Exception):
    """What went wrong with something the user gave; the command line prints it and exits with 2."""


class SettingsError(ZerosumError):
    """A setting, option or name that cannot be."""


class GameError(ZerosumError):
    """A game that cannot be loaded, compiled or solved."""


class RuleError(GameError):
    """What the rules of a game forbid; says what they allow."""


class CardError(ZerosumError):
    """Cards, a range or a board that cannot be."""


class PolicyError(ZerosumError):
    """A policy that does not fit its game, or a policy file that cannot be trusted."""


class RunError(ZerosumError):
    """A run directory that cannot be written, read or resumed."""


class ClusterError(ZerosumError):
    """A cluster that cannot be started, joined or gone on with."""


class EncodingError(ZerosumError):
    """A state that cannot be turned into a network's numbers; names the field."""
