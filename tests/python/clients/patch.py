"""Python's jsonpatch on a corpus of patches.

stdin: one case per line, {"before", "patch", "after"}.
stdout: {"checked", "wrongCount", "wrong": [{"line", "why"}]}; with the first 20 wrong ones at most.
"""

import json
import sys
from typing import Any

import jsonpatch


def same(a: Any, b: Any) -> bool:
    """Equal as JSON: unlike in Python, `true` is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return float(a) == float(b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(value, b[name]) for name, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def judge(line: str) -> str | None:
    case = json.loads(line)
    try:
        patched = jsonpatch.apply_patch(case["before"], case["patch"])
    except Exception as cause:
        return f"refused: {cause!r}"[:300]
    return None if same(patched, case["after"]) else f"gives {json.dumps(patched)}"[:300]


def main() -> None:
    # Only LF ends a line: JSON strings may hold U+2028.
    lines = [line for line in sys.stdin.read().split("\n") if line]
    found = [{"line": line, "why": why} for line, text in enumerate(lines) if (why := judge(text))]
    json.dump({"checked": len(lines), "wrongCount": len(found), "wrong": found[:20]}, sys.stdout)


main()
