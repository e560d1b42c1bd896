"""Writes the seeds of the fuzzers: the official streams and vectors, in the form of each target, and the protocol's words.

    python3 tests/fuzz/seeds.py        # into tests/fuzz/target/seeds/<target>/ and tests/fuzz/target/words.dict
"""

import base64
import json
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
FIXTURES = FUZZ.parent / "fixtures"
SEEDS = FUZZ / "target" / "seeds"


def main() -> None:
    seeds: dict[str, list[bytes]] = {"intake": [], "sse": [], "proto": []}
    words: set[str] = set()
    for path in sorted(FIXTURES.glob("conformance/**/*.json")):
        stream = json.loads(path.read_text())["stream"]
        frames = [json.dumps(event, separators=(",", ":"), ensure_ascii=False) for event in stream]
        # The target starts the run itself.
        body = [frame for frame in frames if '"RUN_STARTED"' not in frame]
        seeds["intake"] += [frame.encode() for frame in frames] + ["\n".join(body).encode()]
        # The first two bytes are the places of the cuts.
        seeds["sse"].append(b"\x05\x40" + "".join(f"data: {frame}\n\n" for frame in frames).encode())
        for event in stream:
            collect(event, words)
    for case in json.loads((FIXTURES / "vectors/stream.json").read_text()):
        reads = b"".join(base64.b64decode(read) for read in case["readsBase64"])
        seeds["proto" if "proto" in (case.get("contentType") or "") else "sse"].append(b"\x05\x40" + reads)
    proto = json.loads((FIXTURES / "vectors/proto.json").read_text())
    for case in proto["encode"] + proto["decode"]:
        for key in ("messageHex", "frameHex"):
            if isinstance(case.get(key), str):
                seeds["proto"].append(bytes.fromhex(case[key]))
                seeds["proto"].append(b"\x05\x10" + bytes.fromhex(case[key]))
    for target, inputs in seeds.items():
        folder = SEEDS / target
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / f"{number:04}").write_bytes(data)
        assert inputs, target
        print(f"{target}: {len(inputs)} seeds")
    lines = [json.dumps(f'"{word}"') for word in sorted(words) if word.isascii() and 1 < len(word) < 40]
    (FUZZ / "target" / "words.dict").write_text("\n".join(lines) + "\n")


def collect(value: object, words: set[str]) -> None:
    """The names of members, and the texts in capitals, which name types."""
    if isinstance(value, dict):
        for key, inner in value.items():
            words.add(key)
            collect(inner, words)
    elif isinstance(value, list):
        for inner in value:
            collect(inner, words)
    elif isinstance(value, str) and value.replace("_", "").isupper():
        words.add(value)


if __name__ == "__main__":
    main()
