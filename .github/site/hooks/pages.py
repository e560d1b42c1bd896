"""The site is made from the pages of the repository, where they are: the navigation in mkdocs.yml names them by their paths."""

import os
import re
from pathlib import Path, PurePosixPath

import inspector
import links
import llms
import rustdoc
from items import Reference
from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parents[3]

# The folder of the site that the pages of a folder go to; the first that fits.
PLACES = [
    ("agui-runtime/src/guide/mod.rs", "guide/index"),
    ("agui-runtime/src/guide/", "guide/"),
    ("agui-runtime/core/src/guide/", "guide/"),
    ("agui-runtime/src/lib.rs", "docs/index"),
    ("agui-codegen/README.md", "docs/agui-codegen"),
    ("examples/README.md", "recipes/examples"),
    ("examples/GUIDE.md", "start/project"),
    ("examples/FRONTEND.md", "start/page"),
    ("tests/docs/", "project/"),
    (".github/CONTRIBUTING.md", "project/contributing"),
    (".github/site/pages/", ""),
]

# The pages of items: links lead there, not to the reference. A page may begin with the text of its module.
OF_ITEMS = {
    "": ["agui-runtime/src/lib.rs", "agui-runtime/src/docs/ordering.md"],
    "guide": ["agui-runtime/src/guide/mod.rs"],
    "guide::security": ["agui-runtime/core/src/guide/security.md", "agui-runtime/core/src/docs/trust.md"],
    "guide::deploying": ["agui-runtime/src/guide/deploying.md", "agui-runtime/src/docs/deploying.md"],
    "macro agent": ["agui-runtime/core/src/docs/agent.md"],
    "macro tool": ["agui-runtime/core/src/docs/tool.md"],
    "macro main": ["agui-runtime/core/src/docs/main.md"],
    "macro Interrupt": ["agui-runtime/core/src/docs/interrupt.md"],
    "derive Interrupt": ["agui-runtime/core/src/docs/interrupt.md"],
    "derive State": ["agui-runtime/core/src/docs/state.md"],
    "derive Activity": ["agui-runtime/core/src/docs/activity.md"],
    "derive Catalog": ["agui-runtime/core/src/docs/catalog.md"],
    "derive SurfaceData": ["agui-runtime/core/src/docs/surface_data.md"],
    "derive CustomEvent": ["agui-runtime/core/src/docs/custom_event.md"],
    "model": ["agui-runtime/core/src/model/mod.rs"],
    "mcp": ["agui-runtime/mcp/src/lib.rs"],
    "a2a": ["agui-runtime/core/src/a2a/mod.rs"],
    "a2ui": ["agui-runtime/core/src/a2ui/mod.rs"],
    "telemetry": ["agui-runtime/core/src/telemetry/mod.rs"],
    "thread": ["agui-runtime/core/src/docs/threads.md"],
    "Server::threads": ["agui-runtime/core/src/docs/threads.md"],
    "Server::websocket": ["agui-runtime/core/src/docs/websocket.md"],
    "receive::differences": ["agui-runtime/core/src/docs/differences.md"],
    "provider": ["agui-runtime/providers/src/lib.rs"],
}

# The module whose names a page uses without their paths.
SCOPES = {page: item.split(" ")[-1].split("::") for item, [page, *_] in OF_ITEMS.items() if " " not in item and item}

reference = Reference(os.environ.get("AGUI_SITE_REFERENCE", ""), "reference/")
texts = {}
linked_sources = set()
aliases = {}


def named(nav) -> list[str]:
    """The sources of a navigation."""
    if isinstance(nav, str):
        return [nav]
    return [source for part in (nav.values() if isinstance(nav, dict) else nav) for source in named(part)]


def place(source: str) -> str:
    """The address of a page, from its source."""
    path = PurePosixPath(source)
    for folder, to in PLACES:
        if source == folder:
            return f"{to}.html" if to.endswith("index") else f"{to}/index.html"
        if source.startswith(folder) and folder.endswith("/"):
            rest = PurePosixPath(source[len(folder) :]).with_suffix("")
            return f"{to}{rest}.html" if rest.name == "index" else f"{to}{rest}/index.html"
    if "/docs/" in source:
        return f"docs/{path.stem}/index.html"
    if path.suffix == ".rs":
        module = path.parent.name if path.name == "mod.rs" else path.parents[1].name
        return f"docs/{module}/index.html"
    if path.parts[0] == "examples" and path.name == "README.md":
        return f"examples/{path.parts[1]}/index.html"
    return f"project/{path.stem.lower()}/index.html"


def text_of(source: str) -> str:
    """The text of a page, as it is in the repository, with the parts that rustdoc puts behind it."""
    if source not in texts:
        path = ROOT / source
        texts[source] = rustdoc.module_docs(path) if path.suffix == ".rs" else path.read_text()
    return texts[source]


def included_in(nav) -> dict[str, str]:
    """The files that pages of modules include, which are no pages of their own."""
    sources = named(nav)
    found = {}
    for source in sources:
        if source.endswith(".rs"):
            for included, _ in rustdoc.INCLUDED.findall((ROOT / source).read_text()):
                path = os.path.normpath(PurePosixPath(source).parent / included)
                if path not in sources:
                    found.setdefault(path, source)
    return found


def added(config, source: str, at: str) -> File:
    file = File.generated(config, source, abs_src_path=str(ROOT / source), inclusion=InclusionLevel.INCLUDED)
    file.dest_uri = at
    return file


def on_config(config):
    config.mdx_configs["toc"]["slugify"] = rustdoc.slug
    config.site_url = os.environ.get("AGUI_SITE_ADDRESS") or None
    if reference.folder:
        config.nav.append({"Reference": "reference/agui_runtime/index.html"})
    return config


def on_files(files, config):
    for file in list(files):
        files.remove(file) if file.src_uri.endswith(".md") else None
    aliases.update(included_in(config.nav))
    for source in named(config.nav):
        if source.startswith("reference/"):
            continue
        file = added(config, source, place(source))
        files.append(as_page(file))
    for source in list(files.src_uris):
        if files.get_file_from_path(source).is_documentation_page():
            for path in repository_links(source):
                if path.suffix in (".png", ".svg", ".webp"):
                    files.append(added(config, str(path), f"assets/{path.name}"))
                elif str(path) not in files.src_uris and str(path) not in aliases:
                    linked_sources.add(str(path))
    for source in sorted(linked_sources):
        content = f"---\nsearch: {{exclude: true}}\nhide: [toc]\n---\n# {source}\n\n{listing(source)}"
        file = File.generated(config, f"{source}.md", content=content, inclusion=InclusionLevel.NOT_IN_NAV)
        file.dest_uri = f"source/{source}/index.html"
        files.append(file)
    return files


def as_page(file: File) -> File:
    """MkDocs asks the name of a file if its text is a page."""
    file.is_documentation_page = lambda: True
    return file


def listing(source: str) -> str:
    path = ROOT / source
    if path.is_dir():
        return "\n".join(f"- `{child.name}`" for child in sorted(path.iterdir()) if not child.name.startswith("."))
    language = {"rs": "rust", "mjs": "js", "stderr": "text", "tsx": "tsx"}.get(path.suffix[1:], path.suffix[1:] or "text")
    text = path.read_text()
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{text}{fence}\n"


RELATIVE = re.compile(r"\]\((?!\w+:|#)([^()\s#]+)(#[\w-]+)?\)")


def repository_links(source: str) -> set[PurePosixPath]:
    """The files of the repository that a page links to."""
    found = set()
    for part in rustdoc.blocks(text_of(source)):
        for target, _ in RELATIVE.findall(part) if isinstance(part, str) else []:
            path = PurePosixPath(os.path.normpath(PurePosixPath(source).parent / target))
            if rustdoc.is_file(target) and "::" not in target and (ROOT / path).exists():
                found.add(path)
    return found


def on_page_read_source(page, config):
    source = page.file.src_uri
    return None if source in linked_pages() else text_of(source)


def linked_pages() -> set[str]:
    return {f"{source}.md" for source in linked_sources}


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri
    if source in linked_pages():
        return markdown
    address = lambda path, kind, anchor: item(source, page, files, path.split("::"), kind, anchor)
    text = rustdoc.page(markdown, "/src/" in source, address)
    text = RELATIVE.sub(lambda found: relative(source, files, *found.groups()), text)
    for name in re.findall(r"!\[[^\]]*\]\[(\w+)\]", text):
        text += "\n" + (ROOT / source).with_name(f"{name}.txt").read_text()
    text = titled(text, page)
    llms.places[source] = page.file.dest_uri
    llms.keep(page, text, files)
    return text


def titled(text: str, page) -> str:
    """A page has one title: its own, or that of the navigation."""
    levels = [len(marks) for part in rustdoc.blocks(text) if isinstance(part, str) for marks in re.findall(r"^(#+) ", part, flags=re.MULTILINE)]
    if text.lstrip().startswith("#") and levels.count(levels[0]) == 1:
        return re.sub(r"\A\s*#+ ", "# ", text)
    if 1 in levels:
        text = rustdoc.demoted(text)
    return f"# {page.title}\n\n{text}"


def relative(source: str, files, target: str, anchor: str | None) -> str:
    path = os.path.normpath(PurePosixPath(source).parent / target)
    if path in aliases:
        return f"]({os.path.relpath(aliases[path], PurePosixPath(source).parent)}{anchor or ''})"
    shown = f"{target}.md" if path in linked_sources else target
    if path in linked_sources and (ROOT / path).is_dir():
        shown = f"{target.rstrip('/')}.md"
    return f"]({shown}{'' if path in linked_sources else anchor or ''})"


def item(source, page, files, path, kind, anchor):
    """The address of an item, from a page."""
    if path[0] in ("crate", "agui_runtime"):
        path = path[1:]
        scopes = [[]]
    elif path[0] == "Self":
        return None
    else:
        scopes = [SCOPES.get(source, []), []]
    for scope in scopes:
        whole = "::".join([*scope, *path])
        wanted = f"{kind} {whole}" if kind in ("macro", "derive") else whole
        candidates = OF_ITEMS.get(wanted) or guide(whole)
        for candidate in candidates:
            file = files.get_file_from_path(candidate)
            if file and (not anchor or anchor in rustdoc.headings(text_of(candidate))):
                return link(page, file, anchor)
        found = reference.address("agui_runtime", [*scope, *path], kind, anchor)
        if found:
            return links.from_page(page.file.dest_uri, found)
    return None


def guide(whole: str) -> list[str]:
    name = whole.removeprefix("guide::")
    path = f"agui-runtime/src/guide/{name}.md"
    return [path] if whole.startswith("guide::") and (ROOT / path).exists() else []


def link(page, file, anchor: str) -> str:
    """The relative path between two sources, which MkDocs resolves and checks."""
    path = os.path.relpath(file.src_uri, PurePosixPath(page.file.src_uri).parent)
    return f"{path}{'#' + anchor if anchor else ''}"


def on_post_page(output, page, config):
    """The search of the theme is a dialog without a name."""
    return named_search(output)


def on_post_template(output, template_name, config):
    return named_search(output) if template_name.endswith(".html") else output


def named_search(output: str) -> str:
    dialog = 'data-md-component="search" role="dialog"'
    if dialog not in output:
        raise ValueError("the theme's search has another form: does it have a name now?")
    return output.replace(dialog, f'{dialog} aria-label="Search"')


def on_post_build(config):
    site = Path(config.site_dir)
    if reference.folder:
        links.copy_reference(reference.folder, site / "reference")
    inspector.build(ROOT, site)
    llms.build(ROOT, site, config)
    links.check(site)
