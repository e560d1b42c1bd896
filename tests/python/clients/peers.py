"""The patches of Python's jsonpatch for the same changes, beside those that `peers.mjs` found (see there).

stdin: one change per line, {"before", "after"}; the first argument names the file that `peers.mjs` wrote.
stdout: one line for each change: lengths of both documents, bytes and operations of the best right patch, operations of
rfc6902.
"""

import json
import sys
from pathlib import Path
from typing import Any

import jsonpatch


def text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def patch_of(before: Any, after: Any) -> list[Any] | None:
    try:
        patch = jsonpatch.make_patch(before, after)
        right = patch.apply(before) == after
    except Exception:
        return None
    return list(patch) if right and not any(map(is_refused, patch)) else None


def is_refused(op: dict[str, Any]) -> bool:
    """True if the official client's patch library refuses the operation."""
    path = f"{op['path']}/"
    return "/__proto__/" in path or "/constructor/prototype/" in path


def main() -> None:
    lines = [line for line in sys.stdin.read().split("\n") if line]
    theirs = Path(sys.argv[1]).read_text().splitlines()
    print("# before after best-bytes best-ops rfc6902-ops; 1000000000: no right patch")
    for line, js in zip(lines, theirs, strict=True):
        case = json.loads(line)
        best, rfc6902 = map(int, js.split())
        patch = patch_of(case["before"], case["after"])
        ops = rfc6902
        if patch is not None and len(text(patch).encode()) < best:
            best, ops = len(text(patch).encode()), len(patch)
        # The lengths as our program wrote them, with its own spelling of numbers.
        before, after = line_lengths(line)
        print(before, after, best, ops, rfc6902)


def line_lengths(line: str) -> tuple[int, int]:
    """The bytes of both documents in the line: members are `before`, `patch`, `after`, in this order."""
    decoder = json.JSONDecoder()
    start = len('{"before":')
    _, end = decoder.raw_decode(line, start)
    before = line[start:end]
    start = end + len(',"patch":')
    _, end = decoder.raw_decode(line, start)
    start = end + len(',"after":')
    _, end = decoder.raw_decode(line, start)
    return len(before.encode()), len(line[start:end].encode())


main()
