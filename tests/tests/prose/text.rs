//! The prose of a source file: its comments and docs by paragraph, the code lines that hold text for people, and the names
//! of its functions.

/// Lines of comment that follow each other, a paragraph of Markdown, or a line of code.
pub struct Paragraph {
    /// The number of the first line and, for each line, its start in `text`.
    first: usize,
    starts: Vec<usize>,
    pub text: String,
}

impl Paragraph {
    /// The number of the line that holds the byte at `at`.
    pub fn line(&self, at: usize) -> usize {
        self.first + self.starts.partition_point(|start| *start <= at) - 1
    }
}

#[derive(Default)]
pub struct Prose {
    pub paragraphs: Vec<Paragraph>,
    /// Lines of code, without the comments on them. A string that `\` continues is one line.
    pub code: Vec<Paragraph>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    Rust,
    /// TypeScript and JavaScript.
    Script,
    Python,
    Markdown,
}

impl Language {
    pub fn of(extension: &str) -> Option<Self> {
        Some(match extension {
            "rs" => Self::Rust,
            "ts" | "tsx" | "mjs" | "js" => Self::Script,
            "py" => Self::Python,
            "md" => Self::Markdown,
            _ => return None,
        })
    }

    /// The text of a line that is a comment as a whole, with the mark that opens it.
    fn comment(self, line: &str) -> Option<(&'static str, &str)> {
        let marks: &[&str] = match self {
            Self::Rust => &["///", "//!", "//"],
            Self::Script => &["//", "/**", "*/", "* "],
            Self::Python => &["# ", "\"\"\""],
            Self::Markdown => return Some(("", line)),
        };
        let line = line.trim_start();
        marks.iter().find_map(|mark| Some((*mark, line.strip_prefix(mark)?)))
    }

    /// A line of code, and the comment behind it.
    fn behind(self, line: &str) -> (&str, Option<&str>) {
        let mark = if self == Self::Python { "  # " } else { " // " };
        match line.split_once(mark) {
            Some((code, comment)) => (code, Some(comment)),
            None => (line, None),
        }
    }
}

/// Collects the lines of a paragraph until something ends it.
#[derive(Default)]
struct Open {
    mark: &'static str,
    lines: Vec<(usize, String)>,
}

impl Open {
    /// Ends the paragraph and adds it to `paragraphs`.
    fn close(&mut self, paragraphs: &mut Vec<Paragraph>) {
        let Some((first, _)) = self.lines.first() else { return };
        let mut paragraph = Paragraph { first: *first, starts: Vec::new(), text: String::new() };
        for (_, line) in self.lines.drain(..) {
            if !paragraph.text.is_empty() {
                paragraph.text.push(' ');
            }
            paragraph.starts.push(paragraph.text.len());
            paragraph.text.push_str(&line);
        }
        paragraphs.push(paragraph);
    }
}

/// The prose of `source`. Blocks of code in Markdown and in docs are left out.
pub fn prose(language: Language, source: &str) -> Prose {
    let mut prose = Prose::default();
    let mut open = Open::default();
    let mut string = Open::default();
    let mut fenced = false;
    let mut docstring = false;
    for (at, line) in source.lines().enumerate() {
        let number = at + 1;
        let continued = !string.lines.is_empty();
        let quotes = if language == Language::Python { line.matches("\"\"\"").count() } else { 0 };
        let inside = docstring;
        docstring ^= quotes == 1;
        let comment = match language {
            _ if inside => Some(("\"\"\"", line)),
            _ if continued => None,
            _ => language.comment(line),
        };
        let Some((mark, text)) = comment else {
            open.close(&mut prose.paragraphs);
            fenced = false;
            let (code, comment) = language.behind(line);
            let begun = code.strip_suffix('\\').filter(|_| language == Language::Rust);
            let text = begun.unwrap_or(code);
            string.lines.push((number, if continued { text.trim() } else { text.trim_end() }.to_owned()));
            if begun.is_none() {
                string.close(&mut prose.code);
            }
            if let Some(comment) = comment {
                open.lines.push((number, comment.to_owned()));
                open.close(&mut prose.paragraphs);
            }
            continue;
        };
        let text = text.trim().trim_end_matches("*/").trim_matches('"').trim();
        if mark != open.mark && !matches!(mark, "* " | "*/") {
            open.close(&mut prose.paragraphs);
            fenced = false;
            open.mark = mark;
        }
        if text.starts_with("```") {
            open.close(&mut prose.paragraphs);
            fenced = !fenced;
        } else if fenced {
            // Code.
        } else if text.is_empty() || text.starts_with('#') || text.starts_with("<!--") {
            open.close(&mut prose.paragraphs);
        } else if text.starts_with('|') {
            open.close(&mut prose.paragraphs);
            for cell in text.split(" | ") {
                open.lines.push((number, cell.trim_matches(['|', ' ']).to_owned()));
                open.close(&mut prose.paragraphs);
            }
        } else {
            let item = ["- ", "* "].iter().find_map(|bullet| text.strip_prefix(bullet));
            if item.is_some() {
                open.close(&mut prose.paragraphs);
            }
            open.lines.push((number, item.unwrap_or(text).to_owned()));
        }
    }
    open.close(&mut prose.paragraphs);
    prose
}
