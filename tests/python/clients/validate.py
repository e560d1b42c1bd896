"""The verdicts of the official Python models and the independent stream validator on one recorded stream.

stdin: the stream, one event per line (JSONL), or with --sse the body of the response as received; with --many a JSON list of such
bodies.
stdout: {"ok", "eventCount", "events": [{"index", "type", "problems": [..]}], "stream": report of ag-ui-validate}, with --many a list
of these.

"events" lists the events with problems: refused by the models, with members no model knows (at any depth),
and `null` where the protocol wants the member left out. "ok" is true when there are none, and the
validator found neither errors nor warnings.
"""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from ag_ui.core import Event
from ag_ui_validate import ValidatorOptions
from ag_ui_validate.report import report_to_dict
from ag_ui_validate.transport import TransportOptions, validate_body
from pydantic import BaseModel, TypeAdapter, ValidationError

EVENT: TypeAdapter[Any] = TypeAdapter(Event)


def payloads_of(text: str, sse: bool) -> list[str]:
    """The JSON texts in the recording; only LF and CR LF end a line, as JSON strings may hold U+2028."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not sse:
        return [line for line in lines if line.strip()]
    payloads: list[str] = []
    data: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
        elif line == "" and data:
            payloads.append("\n".join(data))
            data = []
    return payloads


def surplus(value: Any, path: str) -> Iterator[str]:
    """Unknown members, and members that are null though the model would leave them out."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or {}:
            yield f"{path}/{name}: no such member in {type(value).__name__}"
        for name, field in type(value).model_fields.items():
            member = getattr(value, name)
            at = f"{path}/{field.alias or name}"
            if member is None and name in value.model_fields_set and not field.is_required():
                yield f"{at}: null, should be absent"
            yield from surplus(member, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from surplus(item, f"{path}/{index}")


def problems_of(payload: str) -> list[str]:
    try:
        event = EVENT.validate_json(payload, strict=True)
    except ValidationError as refusal:
        return [f"/{'/'.join(map(str, e['loc']))}: {e['msg']}" for e in refusal.errors(include_url=False)]
    return list(surplus(event, ""))


def type_of(payload: str) -> Any:
    try:
        return json.loads(payload)["type"]
    except (ValueError, KeyError, TypeError):
        return None


async def stream_report(text: str, sse: bool) -> dict[str, Any]:
    async def body() -> AsyncGenerator[bytes, None]:
        yield text.encode()

    options = TransportOptions(validator=ValidatorOptions(), recorded=True)
    kind = "text/event-stream" if sse else "application/x-ndjson"
    return report_to_dict((await validate_body(body(), kind, options)).report)


def verdict_of(text: str, sse: bool) -> dict[str, Any]:
    payloads = payloads_of(text, sse)
    events = [
        {"index": index, "type": type_of(payload), "problems": problems}
        for index, payload in enumerate(payloads)
        if (problems := problems_of(payload))
    ]
    stream = asyncio.run(stream_report(text, sse))
    counted = stream["eventCount"] == len(payloads)
    summary = stream["summary"]
    clean = summary["errors"] == 0 and summary["warnings"] == 0 and not stream["internalErrors"]
    return {
        "ok": bool(payloads) and counted and clean and not events,
        "eventCount": len(payloads),
        "events": events,
        "stream": stream,
    }


def main() -> None:
    text = sys.stdin.buffer.read().decode("utf-8")
    if "--many" in sys.argv[1:]:
        told: Any = [verdict_of(body, sse=True) for body in json.loads(text)]
    else:
        told = verdict_of(text, sse="--sse" in sys.argv[1:])
    json.dump(told, sys.stdout, ensure_ascii=False)


main()
