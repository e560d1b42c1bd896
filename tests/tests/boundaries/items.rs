//! The public items of a file with their documentation.

/// A documented type, trait, function, constant or macro.
#[derive(Debug, Clone, Default)]
pub struct Item {
    pub file: String,
    pub line: usize,
    /// The type or trait that it belongs to. A name with `$` is one that a macro is given.
    pub owner: Option<String>,
    pub name: String,
    pub docs: String,
    pub is_of_trait: bool,
    /// The macro whose invocation declares it.
    pub declared_by: Option<String>,
    /// True for a function that a `macro_rules!` adds to several types, which it does not name.
    pub is_of_macro: bool,
}

impl Item {
    /// The path by which docs link it: `Run::call`, `Run`.
    pub fn path(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{owner}::{}", self.name),
            None => self.name.clone(),
        }
    }

    /// The code of its examples: the fenced blocks that compile.
    pub fn example(&self) -> String {
        let fenced = self.docs.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
        fenced
            .filter(|(info, _)| matches!(info.trim(), "" | "rust" | "no_run" | "should_panic"))
            .map(|(_, code)| code)
            .collect()
    }

    /// The targets of the links in its docs, as [`path`](Self::path) has them.
    pub fn links(&self) -> Vec<String> {
        let parts = self.docs.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(to, _)| to);
        let plain = self.docs.split("[`").skip(1).filter_map(|rest| rest.split_once("`]")).map(|(to, _)| to);
        let own = self.owner.as_deref().unwrap_or(&self.name);
        let path = |to: &str| {
            let to = to.rsplit('@').next().unwrap_or_default();
            let to = to.split(['<', '(', '#']).next().unwrap_or_default();
            let words: Vec<_> = to.split("::").map(|word| if word == "Self" { own } else { word }).collect();
            let is_type = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c == '$');
            let start = words.iter().position(is_type).unwrap_or(words.len().saturating_sub(1));
            words[start..].join("::")
        };
        parts.chain(plain).map(path).collect()
    }
}

/// A block of code around an item.
#[derive(Debug)]
struct Block {
    indent: usize,
    kind: Kind,
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Impl,
    Trait,
    /// The body of a `macro_rules!`.
    Macro,
    /// The braces of an invocation.
    Invocation,
}

const KINDS: [&str; 7] = ["fn ", "struct ", "enum ", "trait ", "type ", "const ", "static "];

/// The documented public items of a file, without those that are hidden. The file is formatted, so indents show its blocks.
pub fn documented(file: &str, source: &str) -> Vec<Item> {
    let source = source.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines: Vec<_> = source.lines().collect();
    let (mut docs, mut attributes) = (String::new(), String::new());
    let mut blocks: Vec<Block> = Vec::new();
    let mut items = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some(text) = text.strip_prefix("///") {
            docs.push_str(text);
            docs.push('\n');
            continue;
        }
        if text.starts_with("#[") || text.starts_with("#![") || is_open(&attributes) {
            if let Some(text) = text.strip_prefix("#[doc = ") {
                docs.push_str(text);
                docs.push('\n');
            }
            attributes.push_str(text);
            attributes.push('\n');
            continue;
        }
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        let closes = |block: &Block| {
            indent < block.indent
                || indent == block.indent && !(text.starts_with("where") || text.starts_with(')'))
        };
        while blocks.last().is_some_and(closes) {
            blocks.pop();
        }
        let is_hidden = attributes.contains("doc(hidden)");
        let docs = std::mem::take(&mut docs);
        let attributes = std::mem::take(&mut attributes);
        let around = blocks.iter().rev().find(|block| matches!(block.kind, Kind::Impl | Kind::Trait));
        let block = |kind, name| Block { indent, kind, name };
        let mut found = None;
        let mut opened = None;
        let mut is_of_macro = false;
        if text.starts_with("impl ") || text.starts_with("impl<") {
            let header: Vec<_> = lines[number..].iter().take_while(|line| !line.contains('{')).collect();
            let last = lines.get(number + header.len()).copied().unwrap_or_default();
            let header: String =
                header.into_iter().chain([&last]).map(|line| format!("{} ", line.trim())).collect();
            opened = Some(block(Kind::Impl, implementor(&header).filter(|_| !is_hidden)));
        } else if let Some(name) = text.strip_prefix("macro_rules! ") {
            let name = word(name);
            if attributes.contains("macro_export") {
                found = Some((name.clone(), None, false));
            }
            opened = Some(block(Kind::Macro, Some(name)));
        } else if let Some((name, _)) = text.split_once("! {").filter(|(name, _)| word(name) == *name) {
            opened = Some(block(Kind::Invocation, Some(name.to_owned())));
        } else if let Some((kind, name)) = text.strip_prefix("pub ").and_then(kind_and_name) {
            let owner = around.map(|block| block.name.clone());
            let is_in_macro = owner.is_none() && blocks.iter().any(|block| block.kind == Kind::Macro);
            is_of_macro = is_in_macro && kind == "fn ";
            if owner != Some(None) {
                found = Some((name.clone(), owner.flatten(), false));
            }
            if kind == "trait " {
                opened = Some(block(Kind::Trait, Some(name).filter(|_| !is_hidden)));
            }
        } else if let Some(owner) =
            around.filter(|block| block.kind == Kind::Trait && indent == block.indent + 4)
        {
            if let Some(("fn " | "const ", name)) = kind_and_name(text)
                && owner.name.is_some()
            {
                found = Some((name, owner.name.clone(), true));
            }
        } else if blocks.last().is_some_and(|block| block.kind == Kind::Invocation) {
            found = declared_name(text).map(|name| (name, None, false));
        }
        if let Some((name, owner, is_of_trait)) = found
            && !is_hidden
            && !docs.is_empty()
            && !name.starts_with('$')
        {
            let declared_by = blocks.iter().find(|block| block.kind == Kind::Invocation);
            items.push(Item {
                file: file.to_owned(),
                line: number + 1,
                owner,
                name,
                docs,
                is_of_trait,
                declared_by: declared_by.and_then(|block| block.name.clone()),
                is_of_macro,
            });
        }
        blocks.extend(opened);
    }
    items
}

/// True if the brackets of an attribute are not closed yet, those in its texts left out.
fn is_open(attribute: &str) -> bool {
    let mut depth = 0;
    let (mut in_text, mut escaped) = (false, false);
    for c in attribute.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_text = !in_text,
            '[' if !in_text => depth += 1,
            ']' if !in_text => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

pub fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$')).collect()
}

pub fn kind_and_name(item: &str) -> Option<(&'static str, String)> {
    let item = if item.contains("const fn ") { item.strip_prefix("const ").unwrap_or(item) } else { item };
    let item = item.strip_prefix("async ").unwrap_or(item);
    KINDS.iter().find_map(|kind| Some((*kind, word(item.strip_prefix(kind)?))))
}

/// A type of which an invocation has the name alone: `MessageId;`, `ImagePart = "image"`.
fn declared_name(text: &str) -> Option<String> {
    let name = word(text);
    let rest = &text[name.len()..];
    let is_value = rest.starts_with(" = \"") && rest.ends_with('"');
    (name.starts_with(|c: char| c.is_uppercase()) && (rest == ";" || is_value)).then_some(name)
}

/// The type of an `impl` that implements no trait.
fn implementor(header: &str) -> Option<String> {
    let header = header.split(['{']).next()?.split(" where ").next()?.strip_prefix("impl")?;
    let mut depth = 0;
    let mut last = ' ';
    let mut rest = header;
    for (at, c) in header.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth -= 1,
            ' ' if depth == 0 => {
                rest = &header[at..];
                break;
            }
            _ => {}
        }
        last = c;
    }
    let path: String = rest.trim().chars().take_while(|c| !matches!(c, '<' | ' ')).collect();
    let is_of_trait = rest.contains(" for ");
    (!is_of_trait).then(|| path.rsplit("::").next().unwrap_or_default().to_owned())
}

#[test]
fn public_items_are_found() {
    let source = r#"
/// A.
///
/// ```
/// B::b(a);
/// ```
#[error(
    "a [b"
)]
pub struct A;

impl<'a, T: Fn() -> A> B<'a, T> {
    /// See [`A`].
    #[must_use]
    pub async fn b() {}

    pub fn undocumented() {}

    /// Not public.
    pub(crate) fn c() {}
}

impl<T> fmt::Debug for B<T> {
    /// D.
    fn fmt() {}
}

/// T.
pub trait T {
    /// N.
    const N: u32;

    /// Hidden.
    #[doc(hidden)]
    fn h() {}
}

ids! {
    /// I.
    I;
    /// P.
    pub struct P {
        /// A member.
        p: u32,
    }
}

macro_rules! object {
    () => {
        impl $Name {
            /// Made like [the type](Self).
            pub const fn new() {}
        }
    };
}

#[cfg(test)]
mod tests {
    /// X.
    pub fn x() {}
}
"#;
    let items = documented("a.rs", source);
    let paths: Vec<_> = items.iter().map(Item::path).collect();
    assert_eq!(paths, ["A", "B::b", "T", "T::N", "I", "P", "$Name::new"]);
    assert_eq!(items[0].example().trim(), "B::b(a);");
    assert_eq!(items[1].links(), ["A"]);
    assert_eq!(items[5].declared_by.as_deref(), Some("ids"));
    assert_eq!(items[6].links(), ["$Name"]);
}

#[test]
fn examples_that_do_not_compile_do_not_count() {
    let of = |docs: &str| Item { docs: docs.to_owned(), ..Item::default() }.example();
    assert_eq!(
        of(" ```compile_fail,E0382\n a();\n ```\n ```text\n b\n ```\n ```no_run\n c();\n ```"),
        " c();\n "
    );
}
