"""The building blocks of the generated types."""

from __future__ import annotations

import math
import re
import warnings
from typing import Annotated, Any, Optional, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    model_serializer,
)

T = TypeVar("T")


class _NeverNull:
    """Marks a member that may be absent but never ``null``."""


def _refuse_null(value: Any, info: ValidationInfo) -> Any:
    if value is None and info.mode == "json":
        raise ValueError("may be absent, but not null")
    return value


def _refuse(value: Any) -> Any:
    raise ValueError("no value is allowed here")


def _refuse_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


def _refuse_number(value: Any) -> Any:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


# After and not before: a value that went through a function first is no longer JSON,
# and a tuple only a list.
Maybe = Annotated[Optional[T], AfterValidator(_refuse_null), _NeverNull()]
"""A member that may be absent, which is ``None`` in Python."""

Nothing = Annotated[Any, BeforeValidator(_refuse)]
"""No value at all."""

Whole = BeforeValidator(_refuse_bool)
"""For ``Literal[1]``, which accepts ``True`` too: in Python they are equal."""

Truth = BeforeValidator(_refuse_number)
"""For ``Literal[True]``, which accepts ``1`` too."""


def MultipleOf(step: float) -> AfterValidator:
    """A multiple of ``step``. Whole numbers are exact; the nearest multiple of a decimal,
    which is rounded in binary, may be off by a billionth of the number.
    """

    def check(value: float) -> float:
        rest = abs(math.fmod(value, step))
        is_whole = float(value).is_integer() and float(step).is_integer()
        near = 0.0 if is_whole else abs(value) / 1e9
        is_near = rest <= near or abs(rest - step) <= near
        if rest != 0 and (math.isinf(value / step) or not is_near):
            raise ValueError(f"expected a multiple of {step}")
        return value

    return AfterValidator(check)


_SPACE = r"\s\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def Matching(pattern: str) -> AfterValidator:
    """A string in which a regular expression of JSON Schema matches."""
    # In JavaScript's meaning: ``$`` is the end and not before a last newline, and a space
    # is one in any script, unlike a digit.
    meant: dict[str, str] = {"$": r"\Z", r"\s": f"[{_SPACE}]", r"\S": f"[^{_SPACE}]"}
    piece = r"\\.|\[(?:\\.|[^\]\\])*\]|."
    parts: list[str] = re.findall(piece, pattern, re.DOTALL)
    source = ""
    for part in parts:
        if part.startswith("["):
            names: list[str] = re.findall(r"\\.|.", part, re.DOTALL)
            source += "".join(_SPACE if name == r"\s" else name for name in names)
        else:
            source += meant[part] if part in meant else part
    try:
        compiled = re.compile(source, re.ASCII)
    except re.error:
        warnings.warn(f"agui: the pattern {pattern} is not checked here", stacklevel=2)
        return AfterValidator(lambda value: value)

    def check(value: str) -> str:
        if compiled.search(value) is None:
            raise ValueError(f"expected a string that matches {pattern}")
        return value

    return AfterValidator(check)


UInt8 = Annotated[int, Field(strict=True, ge=0, le=2**8 - 1)]
UInt16 = Annotated[int, Field(strict=True, ge=0, le=2**16 - 1)]
UInt32 = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]
UInt64 = Annotated[int, Field(strict=True, ge=0, le=2**64 - 1)]
UInt128 = Annotated[int, Field(strict=True, ge=0, le=2**128 - 1)]
Int8 = Annotated[int, Field(strict=True, ge=-(2**7), le=2**7 - 1)]
Int16 = Annotated[int, Field(strict=True, ge=-(2**15), le=2**15 - 1)]
Int32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1)]
Int64 = Annotated[int, Field(strict=True, ge=-(2**63), le=2**63 - 1)]
Int128 = Annotated[int, Field(strict=True, ge=-(2**127), le=2**127 - 1)]


class Model(BaseModel):
    """An object of the agent.

    Members have snake_case names here and the wire's names in JSON; the constructor
    accepts both. Members that the agent does not name are kept. A member that may be
    absent is left out of the JSON until it is set.
    """

    model_config = ConfigDict(
        strict=True,
        extra="allow",
        populate_by_name=True,
        serialize_by_alias=True,
        protected_namespaces=(),
    )

    @model_serializer(mode="wrap")
    def _leave_out_the_absent(
        self, handler: SerializerFunctionWrapHandler
    ) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        for name, field in type(self).model_fields.items():
            if field.is_required() or getattr(self, name) is not None:
                continue
            never_null = any(isinstance(mark, _NeverNull) for mark in field.metadata)
            if never_null or name not in self.model_fields_set:
                data.pop(name, None)
                data.pop(field.serialization_alias or name, None)
        return data
