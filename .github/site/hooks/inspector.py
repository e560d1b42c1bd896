"""The inspector without its program: the files of its page, over a recorded conversation."""

import json
import shutil
from pathlib import Path


def build(root: Path, site: Path):
    web, own, into = root / "examples/inspector/web", root / ".github/site/inspector", site / "inspector"
    shutil.copytree(web, into, dirs_exist_ok=True)
    # The requests of the page, answered by the recording.
    shutil.copy(own / "stream.js", into)
    shutil.copy(own / "play.js", into)
    recording = json.loads((own / "desk.json").read_text())
    (into / "recording.json").write_text(json.dumps(recording, separators=(",", ":")))
    page = (web / "index.html").read_text()
    main = '<script type="module" src="main.js"></script>'
    page = page.replace("/inspector/", "").replace(main, main + '\n    <script type="module" src="play.js"></script>')
    if "play.js" not in page:
        raise ValueError("the inspector's page begins in another way")
    (into / "index.html").write_text(page)
