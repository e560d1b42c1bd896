"""Text for rustdoc, as a site shows it: hidden lines are left out, blocks name their language, names of items become links."""

import re
from pathlib import Path

FENCE = re.compile(r"^(`{3,})([^`]*)$")
# Words after the fence that speak to rustdoc, and not about a language.
FLAGS = re.compile(r"^(no_run|ignore|should_panic|compile_fail|edition\d+|E\d{4})$")
INCLUDED = re.compile(r'#!?\[(?:cfg_attr\(.*?, )?doc = (?:include_str!\("([^"]+)"\)|"([^"]*)")\)?\]')
# A link whose target is an item, or whose text is the item.
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\](?:\(([^()\s]*(?:\(\))?[^()\s]*)\)|\[([^\[\]]*)\])?")
ITEM = re.compile(r"^(?:(?P<kind>macro|derive|attr|trait|struct|enum|fn|type|mod|value)@)?(?P<path>[A-Za-z_]\w*(?:::\w+)*)(?:\(\)|!)?(?P<anchor>#[\w-]+)?$")
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def module_docs(path: Path) -> str:
    """The documentation of a module: its `//!` lines, and the files that it includes."""
    lines = []
    for line in path.read_text().splitlines():
        if line.startswith("//!"):
            lines.append(line[3:].removeprefix(" "))
        elif line.startswith(("#![doc", "#[doc", "#![cfg_attr")) and (found := INCLUDED.match(line)):
            included, text = found.groups()
            if line.startswith("#["):
                break
            lines += included_text(path.parent / included) if included else [text]
        elif line and not line.startswith(("#!", "//")):
            break
    return "\n".join(lines) + "\n"


def included_text(path: Path) -> list[str]:
    """The lines of a file; a drawing is a block of its own, which Markdown leaves as it is."""
    lines = path.read_text().splitlines()
    return ["", '<div class="agui-figure">', *lines, "</div>", ""] if path.suffix == ".svg" else lines


def blocks(text: str):
    """The parts of a text: prose, and fenced blocks as `(info, lines)`."""
    prose, block, fence, info = [], None, "", ""
    for line in text.split("\n"):
        opening = FENCE.match(line)
        if block is None and opening:
            yield "\n".join(prose)
            prose, block, (fence, info) = [], [], opening.groups()
        elif block is not None and line.strip() == fence:
            yield info, block
            block = None
        else:
            (prose if block is None else block).append(line)
    if block is not None:
        raise ValueError(f"a block is not closed: ```{info}")
    yield "\n".join(prose)


def shown(line: str) -> str | None:
    """A line of a Rust block as readers see it; None if rustdoc hides the line."""
    bare = line.lstrip()
    if bare == "#" or bare.startswith("# "):
        return None
    return line.replace("##", "#", 1) if bare.startswith("##") else line


def block(info: str, lines: list[str], is_rust: bool) -> str:
    words = [word for word in re.split(r"[,\s]+", info) if word]
    languages = [word for word in words if not FLAGS.match(word)]
    language = languages[0] if languages else "rust" if is_rust else "text"
    if language == "rust":
        lines = [line for line in map(shown, lines) if line is not None]
        while lines and not lines[0].strip():
            lines.pop(0)
        while lines and not lines[-1].strip():
            lines.pop()
    return "\n".join([f"```{language}", *lines, "```"])


def prose(text: str, link) -> str:
    """Prose with the links that `link(target)` finds: an address, or None if the text stays without a link."""

    def linked(found: re.Match) -> str:
        words, target, label = found.groups()
        if target is None and label is None and not re.fullmatch(r"`[^`]+`", words):
            return found[0]
        if label:
            return found[0]
        item = ITEM.match(target if target is not None else words.strip("`"))
        if target is not None and (not item or is_file(target)):
            return found[0]
        if not item:
            return words
        address = link(item["path"], item["kind"], (item["anchor"] or "").removeprefix("#"))
        shown = re.sub(r"^`(?:macro|derive|trait|struct|fn|mod|type)@", "`", words)
        return f"[{shown}]({address})" if address else shown

    return LINK.sub(linked, COMMENT.sub("", text))


def is_file(target: str) -> bool:
    return "/" in target or "." in target


def page(text: str, is_rust: bool, link) -> str:
    """A page of rustdoc as Markdown for the site."""
    parts = []
    for part in blocks(text):
        parts.append(prose(part, link) if isinstance(part, str) else block(*part, is_rust))
    return "\n".join(parts)


def demoted(text: str) -> str:
    """Headings below a title, if the text has none: the first level becomes the second."""
    parts = []
    for part in blocks(text):
        if isinstance(part, str):
            parts.append(re.sub(r"^(#{1,5}) ", r"#\1 ", part, flags=re.MULTILINE))
        else:
            parts.append("\n".join([f"```{part[0]}", *part[1], "```"]))
    return "\n".join(parts)


def headings(text: str) -> list[str]:
    """The anchors of a text, as rustdoc and GitHub make them."""
    found = []
    for part in blocks(text):
        if isinstance(part, str):
            found += [slug(heading) for heading in re.findall(r"^#{1,6} (.+)$", part, flags=re.MULTILINE)]
    return found


def slug(heading: str, separator: str = "-") -> str:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().strip()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", separator)
