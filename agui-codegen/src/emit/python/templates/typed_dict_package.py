{{doc}}

from .agent import AGENT, MANIFEST_HASH, VERSION

__all__ = [
    "AGENT",
    "MANIFEST_HASH",
    "VERSION",
]
