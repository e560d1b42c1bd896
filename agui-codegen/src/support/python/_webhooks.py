"""The check of webhooks: the ends of runs that a server stores."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import Literal, Optional

from ag_ui.core import RunErrorEvent, RunFinishedEvent
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

_TOLERANCE = 5 * 60
"""The most that the clocks of sender and receiver may differ, in seconds."""


class WebhookVerificationError(Exception):
    """A request that is not a webhook of the secret."""


class WebhookData(BaseModel):
    """The run that ended."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    agent: str
    """The path of the agent."""
    thread_id: str
    run_id: str
    event: Optional[RunFinishedEvent | RunErrorEvent] = None
    """The event that ended it; missing if it is too large."""


class WebhookMessage(BaseModel):
    """The body of a webhook."""

    type: Literal["run.finished", "run.interrupted", "run.cancelled", "run.failed"]
    timestamp: str
    data: WebhookData


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> tuple[str, WebhookMessage]:
    """Checks a request by the Standard Webhooks specification, and returns the id of its message, and the message.

    ``body`` has the bytes as they arrived, ``headers`` any spelling of the names, and ``secret`` is the one of the
    server, ``whsec_…``. Handle each id once: the same message may come again.

    Raises ``WebhookVerificationError``.
    """
    known = {name.lower(): value for name, value in headers.items()}
    try:
        id, timestamp, signatures = (
            known[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
    except KeyError as error:
        raise WebhookVerificationError(f"the header {error} is missing") from None
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16
    if not is_number or abs(time.time() - int(timestamp)) > _TOLERANCE:
        raise WebhookVerificationError("the webhook was not sent within five minutes of now")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join((id.encode(), timestamp.encode(), body))
    code = hmac.new(key, signed, hashlib.sha256).digest()
    if not any(hmac.compare_digest(code, _code(signature)) for signature in signatures.split(" ")):
        raise WebhookVerificationError("the webhook has no signature of this secret")
    try:
        return id, WebhookMessage.model_validate_json(body)
    except ValidationError as error:
        raise WebhookVerificationError(f"the webhook is no message: {error}") from error


def _code(signature: str) -> bytes:
    """The code of a signature; none if it is malformed."""
    version, _, text = signature.partition(",")
    try:
        return base64.b64decode(text, validate=True) if version == "v1" else b""
    except ValueError:
        return b""
