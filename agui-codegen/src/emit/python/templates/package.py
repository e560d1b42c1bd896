{{doc}}

from .client import (
    {{.}}, #+imported
)

__all__ = [
    {{.}}, #+exported
]
