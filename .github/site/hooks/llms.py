"""Files for coding assistants: llms.txt lists the pages, each of which is there as Markdown too, and SKILL.md is the skill.

The form of llms.txt is that of llmstxt.org: a title, a summary, and lists of links. A page is Markdown at its address with `.md` behind.
"""

import re
import shutil
from pathlib import Path

import rustdoc

# The Markdown of each page: by its file's address, the title and the text.
pages = {}

PICTURE = re.compile(r'^(?:!\[[^\n]*\]\[\w+\]|\[\w+\]: data:[^\n]*|<div class="agui-figure">.*?^</div>)\n?', re.MULTILINE | re.DOTALL)
RELATIVE = re.compile(r"\]\((?!\w+:|#)([^()\s#]+)(#[\w-]+)?\)")


def keep(page, text: str, files):
    """Keeps the text of a page, with links that lead to the Markdown of others."""

    def linked(found: re.Match) -> str:
        path, anchor = found.groups()
        source = Path(page.file.src_uri).parent / path
        file = files.get_file_from_path(normal(source))
        return f"]({file.url_relative_to(page.file)}{markdown(file)}{anchor or ''})" if file else found[0]

    parts = [RELATIVE.sub(linked, part) if isinstance(part, str) else rustdoc.block(*part, False) for part in rustdoc.blocks(text)]
    # A picture inside of the text is of no use to a reader of text.
    whole = PICTURE.sub("", "\n".join(parts))
    pages[page.file.dest_uri] = (page.title, whole)


def normal(path: Path) -> str:
    parts = []
    for part in path.parts:
        parts.pop() if part == ".." else parts.append(part)
    return "/".join(parts)


def markdown(file) -> str:
    if not file.is_documentation_page():
        return ""
    return "index.html.md" if file.url.endswith("/") or file.url == "" else ".md"


def summary(text: str) -> str:
    """The first sentence of a page."""
    for part in rustdoc.blocks(text):
        for paragraph in part.split("\n\n") if isinstance(part, str) else []:
            words = " ".join(paragraph.split())
            if words and not words.startswith(("#", "|", "-", "<", "!", "[")):
                plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words.replace("**", ""))
                return re.split(r"(?<=\.)\s", plain)[0].rstrip(".:")
    return ""


def build(root: Path, site: Path, config):
    address = config.site_url or ""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}.", ""]
    lines += [f"- [SKILL.md]({address}SKILL.md): the skill for coding assistants, with examples that are compiled and run", ""]
    for section in config.nav:
        for title, entries in section.items():
            if isinstance(entries, list):
                found = [entry for file in listed(entries) for entry in links(file, address)]
                lines += [f"## {title}", "", *found, ""]
    (site / "llms.txt").write_text("\n".join(lines))
    for at, (_, text) in pages.items():
        (site / f"{at}.md").write_text(text)
    shutil.copy(root / "agui-runtime/SKILL.md", site / "SKILL.md")


def listed(entries) -> list[str]:
    """The sources of a part of the navigation."""
    if isinstance(entries, str):
        return [entries]
    return [source for part in (entries.values() if isinstance(entries, dict) else entries) for source in listed(part)]


def links(source: str, address: str) -> list[str]:
    at = places[source]
    title, text = pages[at]
    return [f"- [{title}]({address}{at}.md): {summary(text)}"]


# The address of each source.
places = {}
