//! The code blocks of a document, each with the marker comment before it: `<!-- kind: value -->`.

/// A code block.
pub(crate) struct Block {
    /// The line of its start, counted from 1.
    pub(crate) line: usize,
    /// The word after the three backticks.
    pub(crate) language: String,
    /// The marker before it: its kind, and its value.
    pub(crate) marker: Option<(String, String)>,
    /// The content, without a line break at the end.
    pub(crate) text: String,
}

/// The commands of a console block.
impl Block {
    pub(crate) fn commands(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ "))
    }
}

pub(crate) fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut marker = None;
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<_> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```")).collect();
            blocks.push(Block {
                line: number + 1,
                language: language.to_owned(),
                marker: marker.take(),
                text: text.join("\n"),
            });
        } else if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
            let (kind, what) = comment.split_once(": ").expect("a marker is `kind: value`");
            marker = Some((kind.to_owned(), what.to_owned()));
        }
    }
    blocks
}
