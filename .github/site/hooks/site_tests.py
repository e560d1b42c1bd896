"""The parts of the build that change texts, and the check of links."""

import tempfile
import unittest
from pathlib import Path

import links
import rustdoc
from mkdocs.exceptions import Abort


class Tests(unittest.TestCase):
    def test_hidden_lines_are_left_out_and_flags_are_no_languages(self):
        text = "Before.\n\n```no_run\n# use a::b;\n#[tool]\nlet x = 1; # seen\n    # hidden();\n## heading\n#\n```\n\n```ts\n# kept\n```\n"
        shown = rustdoc.page(text, True, lambda *_: None)
        self.assertIn("```rust\n#[tool]\nlet x = 1; # seen\n# heading\n```", shown)
        self.assertIn("```ts\n# kept\n```", shown)
        self.assertIn("```text\nplain\n```", rustdoc.page("```\nplain\n```\n", False, lambda *_: None))

    def test_names_of_items_become_links_or_code(self):
        known = {("crate::Run", None, ""): "run/", ("crate::agent", "macro", "keys"): "agent/#keys", ("Stop", None, ""): "stop/"}
        link = lambda path, kind, anchor: known.get((path, kind, anchor))
        page = lambda text: rustdoc.page(text, True, link)
        self.assertEqual(page("[`Run`](crate::Run) [keys](macro@crate::agent#keys) [`Stop`]"), "[`Run`](run/) [keys](agent/#keys) [`Stop`](stop/)")
        self.assertEqual(page("[`Other`](crate::Other), [`Nothing`], [words](crate::other)"), "`Other`, `Nothing`, words")
        rest = "[a](b.md#c) [d](https://e.example) ![f][g] [h](#i) `x[`y`]`"
        self.assertTrue(page(rest).startswith("[a](b.md#c) [d](https://e.example) ![f][g] [h](#i)"))

    def test_an_open_block_is_an_error(self):
        with self.assertRaises(ValueError):
            rustdoc.page("```\nopen\n", True, lambda *_: None)

    def test_anchors_are_those_of_rustdoc(self):
        self.assertEqual(rustdoc.slug("`Run::chat` and [limits](x.md), too"), "runchat-and-limits-too")

    def test_dead_links_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            page = '<a href="other/">a</a><a href="#gone">b</a><img src="no.png"><a href="https://x.example/">c</a><a href="other/#here">d</a>'
            (site / "index.html").write_text(page)
            (site / "other").mkdir()
            (site / "other/index.html").write_text('<p id="here">')
            with self.assertRaises(Abort) as caught:
                links.check(site)
        self.assertEqual(str(caught.exception), "dead links:\nindex.html: no such anchor: #gone\nindex.html: no.png")
