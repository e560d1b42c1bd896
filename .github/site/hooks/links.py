"""Links inside the site: each leads to a file that is there, and each anchor to an element that has it."""

import os
import shutil
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from mkdocs.exceptions import Abort

# The search of the reference makes its own addresses.
FOREIGN = "reference"


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.links, self.ids = [], set()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def from_page(page: str, target: str) -> str:
    return os.path.relpath(target, PurePosixPath(page).parent)


def copy_reference(folder: Path, into: Path):
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(folder, into, ignore=shutil.ignore_patterns(".lock", "src"))


def check(site: Path):
    pages = {}

    def read(path: Path) -> Page:
        if path not in pages:
            pages[path] = Page()
            pages[path].feed(path.read_text())
        return pages[path]

    dead = []
    for path in sorted(site.rglob("*.html")):
        if not path.is_file() or FOREIGN in path.relative_to(site).parts[:1]:
            continue
        for target in read(path).links:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                continue
            # The page for unknown addresses may be shown anywhere, so its links begin at the root.
            base = site if url.path.startswith("/") else path.parent
            file = Path(os.path.normpath(base / unquote(url.path).lstrip("/"))) if url.path else path
            file = file / "index.html" if file.is_dir() else file
            if not file.exists():
                dead.append(f"{path.relative_to(site)}: {target}")
            elif url.fragment and file.suffix == ".html" and unquote(url.fragment) not in read(file).ids | {"__top"}:
                dead.append(f"{path.relative_to(site)}: no such anchor: {target}")
    if dead:
        raise Abort("dead links:\n" + "\n".join(sorted(set(dead))))
    if len(pages) < 40:
        raise Abort(f"only {len(pages)} pages were checked")
