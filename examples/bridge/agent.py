"""An agent that knows nothing of AG-UI: a generator, whose items become lines of JSON on standard output.

It reads {"question": "…"} from standard input.
"""

import json
import sys


def answer(question):
    yield {"step": "look"}
    yield {"tool": "weather", "call": 1, "with": {"city": question.rstrip("?!.")}}
    yield {"call": 1, "got": {"degrees": 21}}
    yield {"step": "tell"}
    for word in ["It ", "is ", "21 ", "degrees."]:
        yield {"say": word}
    yield {"done": {"degrees": 21}}


for item in answer(json.load(sys.stdin)["question"]):
    print(json.dumps(item), flush=True)
