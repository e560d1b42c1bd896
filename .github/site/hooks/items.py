"""Where the item of a link is documented: on a page of the site, or in the reference."""

from pathlib import Path

KINDS = ["struct", "enum", "trait", "fn", "macro", "attr", "derive", "type", "constant", "union"]
OF_LINK = {"macro": ["attr", "macro", "derive"], "mod": ["mod"], "value": ["fn", "constant"]}
MEMBERS = ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype"]


class Reference:
    """The output of `cargo doc`, which knows each item; empty if the site is built without it."""

    def __init__(self, folder: str, at: str):
        self.folder = Path(folder) if folder else None
        self.at = at
        self.pages = {}

    def address(self, crate: str, path: list[str], kind: str | None, anchor: str) -> str | None:
        """The address of an item below the site's root."""
        if not self.folder:
            return None
        if not path:
            return self._checked(f"{crate}/index.html", anchor)
        base = "/".join([crate, *path[:-1]])
        if kind in (None, "mod") and (self.folder / base / path[-1] / "index.html").exists():
            return self._checked(f"{base}/{path[-1]}/index.html", anchor)
        for one in OF_LINK.get(kind, [kind] if kind else KINDS):
            if (self.folder / base / f"{one}.{path[-1]}.html").exists():
                return self._checked(f"{base}/{one}.{path[-1]}.html", anchor)
        if len(path) > 1 and not anchor:
            owner = self.address(crate, path[:-1], None, "")
            for member in MEMBERS:
                if owner and f"{member}.{path[-1]}" in self._ids(owner.removeprefix(self.at)):
                    return f"{owner}#{member}.{path[-1]}"
        return None

    def _checked(self, file: str, anchor: str) -> str | None:
        if anchor and anchor not in self._ids(file):
            return None
        return f"{self.at}{file}{'#' + anchor if anchor else ''}"

    def _ids(self, file: str) -> set[str]:
        if file not in self.pages:
            text = (self.folder / file).read_text()
            self.pages[file] = {part.split('"', 1)[0] for part in text.split('id="')[1:]}
        return self.pages[file]
