//! `Cargo.toml` texts, each with a path: enough TOML to find out under which name a crate is a dependency.
//!
//! A TOML library would take a tenth of the build time for an agent with all dependencies. Cargo has read the file before the
//! macro does, so this reader need not explain mistakes in the file.

/// A value that is not a table or an array: `["dependencies", "agui-runtime", "version"]` and `"0.1"`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TomlEntry {
    pub(crate) path: Vec<String>,
    /// A text without quotes, anything else as written.
    pub(crate) value: String,
}

/// Document entries, without entries in arrays. `None` if the text is not TOML.
pub(crate) fn entries(text: &str) -> Option<Vec<TomlEntry>> {
    let mut reader = TomlReader { rest: text.trim_start_matches('\u{feff}'), entries: Vec::new() };
    let mut table = Vec::new();
    loop {
        reader.skip_blank();
        if reader.rest.is_empty() {
            return Some(reader.entries);
        }
        if reader.take("[") {
            let is_array = reader.take("[");
            table = reader.key()?;
            reader.expect(if is_array { "]]" } else { "]" })?;
        } else {
            reader.key_and_value(&table)?;
        }
    }
}

struct TomlReader<'t> {
    rest: &'t str,
    entries: Vec<TomlEntry>,
}

impl<'t> TomlReader<'t> {
    fn key_and_value(&mut self, table: &[String]) -> Option<()> {
        let mut path = table.to_vec();
        path.extend(self.key()?);
        self.expect("=")?;
        self.skip_spaces();
        self.value(path)
    }

    fn key(&mut self) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        loop {
            self.skip_spaces();
            parts.push(match self.rest.chars().next()? {
                '"' | '\'' => self.text()?,
                _ => self.take_until(|c| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?.to_owned(),
            });
            self.skip_spaces();
            if !self.take(".") {
                return Some(parts);
            }
        }
    }

    fn value(&mut self, path: Vec<String>) -> Option<()> {
        if self.take("{") {
            return self.list("}", |reader| reader.key_and_value(&path));
        }
        if self.take("[") {
            let before = self.entries.len();
            self.list("]", |reader| reader.value(Vec::new()))?;
            self.entries.truncate(before);
            return Some(());
        }
        let value = match self.rest.chars().next()? {
            '"' | '\'' => self.text()?,
            _ => self.take_until(|c| matches!(c, ',' | ']' | '}' | '#' | '\n'))?.trim_end().to_owned(),
        };
        self.entries.push(TomlEntry { path, value });
        Some(())
    }

    /// Reads the rest of a list, after the opening bracket.
    fn list(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        loop {
            self.skip_blank();
            if self.take(end) {
                return Some(());
            }
            item(self)?;
            self.skip_blank();
            if !self.take(",") {
                return self.expect(end);
            }
        }
    }

    /// Reads a text in any of the four kinds of quotes. Only escapes for quotes and backslashes are undone: a crate's name has no
    /// others.
    fn text(&mut self) -> Option<String> {
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| self.take(quote))?;
        let mut text = String::new();
        while !self.take(quote) {
            let escapes = quote.starts_with('"') && self.take("\\");
            let c = self.rest.chars().next()?;
            self.rest = self.rest.get(c.len_utf8()..)?;
            if escapes && !matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        Some(text)
    }

    fn take_until(&mut self, is_end: impl Fn(char) -> bool) -> Option<&'t str> {
        let (taken, rest) = self.rest.split_at_checked(self.rest.find(is_end).unwrap_or(self.rest.len()))?;
        self.rest = rest;
        (!taken.is_empty()).then_some(taken)
    }

    fn take(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        self.take(word).then_some(())
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// Skips spaces, line ends and comments.
    fn skip_blank(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.find('\n').and_then(|end| self.rest.get(end..)).unwrap_or("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<String>> {
        let shown = |entry: TomlEntry| format!("{} = {}", entry.path.join("/"), entry.value);
        Some(entries(text)?.into_iter().map(shown).collect())
    }

    #[test]
    fn every_way_to_write_a_dependency_gives_the_same_entries() {
        let same = [
            "[dependencies]\nagent = { package = \"agui-runtime\", version = '0.1' } # ours\n",
            "[dependencies.agent]\npackage = \"agui-runtime\"\nversion = \"0.1\"",
            "dependencies.agent.package = 'agui-runtime'\r\ndependencies . \"agent\" .version = \"\"\"0.1\"\"\"\r\n",
            "\u{feff}# first\n[ dependencies ]\nagent = {\n  package = \"agui-runtime\", # ours\n  version = '''0.1''',\n}",
        ];
        for text in same {
            let expected = ["dependencies/agent/package = agui-runtime", "dependencies/agent/version = 0.1"];
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn values_that_look_like_tables_are_values() {
        let text = r##"
[package]
name = "a\"b#c" # "not = this"
authors = ["[dependencies]", { name = "x" }, [1, 2]]
description = """
[dependencies]
agent = "no"
"""
edition.workspace = true

[[bin]]
path = 'C:\new'
[target.'cfg(unix)'.dependencies]
b = "1"
"##;
        let expected = [
            "package/name = a\"b#c",
            "package/description = \n[dependencies]\nagent = \"no\"\n",
            "package/edition/workspace = true",
            "bin/path = C:\\new",
            "target/cfg(unix)/dependencies/b = 1",
        ];
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn a_text_that_is_not_toml_gives_nothing() {
        for text in
            ["=", "a", "a =", "a = \"", "a = [1", "[a", "[[a]", "a = { b = 1", "a b = 1", "'a", "é = 1"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
