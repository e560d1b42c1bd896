//! The sources of a crate as modules: where each file is, and which paths it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use agui_tests::outside::workspace_dir;

/// The crates whose sources are read.
pub const CRATES: [&str; 3] = ["agui-codegen", "agui-macros", "agui-runtime"];

/// A path from the root of the crate: `["emit", "dynamic", "feed"]`.
pub type Place = Vec<String>;

/// A path that a file names, as it is from the root of the crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub line: usize,
    pub path: Place,
    /// The name that the file uses for it: another than its own after `as`.
    pub name: String,
    /// True if it stands in a `use`, which gives it to the module.
    pub imports: bool,
}

/// One file.
#[derive(Debug)]
pub struct Source {
    /// From the crate's `src` on.
    pub file: String,
    pub module: Place,
    pub named: Vec<Named>,
    pub is_test: bool,
}

/// All files of a crate.
#[derive(Debug, Default)]
pub struct Sources {
    pub all: Vec<Source>,
    /// The names that each module takes from elsewhere, and where from.
    imports: BTreeMap<Place, BTreeMap<String, Place>>,
}

impl Sources {
    /// The sources of a crate of ours; with tests, marked as such. They are read once for all tests.
    pub fn of_crate(name: &str) -> &'static Self {
        static READ: [OnceLock<Sources>; CRATES.len()] = [const { OnceLock::new() }; CRATES.len()];
        let place = CRATES.iter().position(|krate| *krate == name).unwrap();
        READ[place].get_or_init(|| Self::read(&workspace_dir().join(name).join("src")))
    }

    fn read(src: &Path) -> Self {
        let files = rust_files(src).into_iter().map(|path| {
            let file = path.strip_prefix(src).unwrap().to_str().unwrap().replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap();
            (file, text)
        });
        Self::of(files.collect())
    }

    /// The sources with these names and texts.
    pub fn of(files: Vec<(String, String)>) -> Self {
        let mut sources = Self::default();
        let mut tests = BTreeSet::new();
        let codes: Vec<_> =
            files.into_iter().map(|(file, text)| (module_of(&file), code(&text), file)).collect();
        let modules: BTreeSet<Place> = codes.iter().map(|(module, ..)| module.clone()).collect();
        for (module, code, file) in codes {
            tests.extend(test_modules(&code).into_iter().map(|name| child(&module, &name)));
            let named = named(&without_tests(&code), &module, &modules);
            let imports = sources.imports.entry(module.clone()).or_default();
            for import in named.iter().filter(|named| named.imports) {
                imports.insert(import.name.clone(), import.path.clone());
            }
            sources.all.push(Source { file, module, named, is_test: false });
        }
        for source in &mut sources.all {
            source.is_test = tests.iter().any(|test| source.module.starts_with(test));
        }
        sources
    }

    /// The module in which the item of a path is, by way of the modules that hand it on.
    pub fn resolve(&self, path: &[String]) -> Place {
        self.resolve_within(path, 12)
    }

    fn resolve_within(&self, path: &[String], depth: usize) -> Place {
        let mut module = Place::new();
        for (at, name) in path.iter().enumerate() {
            let inner = child(&module, name);
            if self.imports.contains_key(&inner) {
                module = inner;
                continue;
            }
            let handed_on = self.imports.get(&module).and_then(|imports| imports.get(name));
            return match handed_on {
                Some(from) if depth > 0 && *from != path[..=at] => {
                    let rest = path[at + 1..].iter().cloned();
                    self.resolve_within(&from.iter().cloned().chain(rest).collect::<Vec<_>>(), depth - 1)
                }
                _ => module,
            };
        }
        module
    }
}

fn child(module: &[String], name: &str) -> Place {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// The Rust files below a folder, without those that a build wrote.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                files.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// `emit/dynamic/mod.rs` is `emit::dynamic`, `lib.rs` the root.
fn module_of(file: &str) -> Place {
    let path = file.strip_suffix(".rs").unwrap();
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Place::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// The text with spaces for comments, strings and characters, line by line as it was.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let blank =
        |out: &mut String, part: &str| out.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' }));
    while let Some(first) = rest.chars().next() {
        let after_name = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let hashes = rest.strip_prefix('r').map(|raw| raw.len() - raw.trim_start_matches('#').len());
        let end = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' => end_of_string(rest),
            'r' if !after_name && hashes.is_some_and(|hashes| rest[1 + hashes..].starts_with('"')) => {
                let hashes = hashes.unwrap();
                let closed = format!("\"{}", "#".repeat(hashes));
                let start = hashes + 2;
                rest[start..].find(&closed).map_or(rest.len(), |at| start + at + closed.len())
            }
            '\'' => match rest[1..].chars().next() {
                Some('\\') => rest[3..].find('\'').map_or(1, |at| at + 4),
                Some(c) if rest[1 + c.len_utf8()..].starts_with('\'') => 2 + c.len_utf8(),
                _ => 0,
            },
            _ => 0,
        };
        match end {
            0 => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
            end => {
                blank(&mut out, &rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out
}

fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

const TEST: &str = "#[cfg(test)]";

/// The modules that are files of their own and only for tests.
fn test_modules(code: &str) -> Vec<String> {
    let behind = code.match_indices(TEST).map(|(at, _)| code[at + TEST.len()..].trim_start());
    let declared = behind.filter_map(|rest| rest.strip_prefix("mod ")?.split_once(';'));
    declared.map(|(name, _)| name.trim().to_owned()).filter(|name| name.chars().all(is_of_name)).collect()
}

/// The code with spaces for its modules of tests.
fn without_tests(code: &str) -> String {
    let mut code = code.to_owned();
    let starts: Vec<usize> = code.match_indices(TEST).map(|(at, _)| at).collect();
    for start in starts {
        let rest = &code[start + TEST.len()..];
        if !rest.trim_start().starts_with("mod ") {
            continue;
        }
        let (Some(open), semicolon) = (rest.find('{'), rest.find(';')) else { continue };
        if semicolon.is_some_and(|semicolon| semicolon < open) {
            continue;
        }
        let open = start + TEST.len() + open;
        let end = open + end_of_block(&code[open..]);
        let blank: String = code[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        code.replace_range(start..end, &blank);
    }
    code
}

fn end_of_block(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The paths that begin with `crate`, `self` or `super`, or in a `use` with a child module.
fn named(code: &str, module: &[String], modules: &BTreeSet<Place>) -> Vec<Named> {
    let mut named = Vec::new();
    // The modules around a place, with the depth of what is in them.
    let mut inner: Vec<(usize, String)> = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0;
    let mut line = 1;
    let mut imports = false;
    while let Some(c) = code[at..].chars().next() {
        let is_name = is_of_name(c);
        if !is_name {
            match c {
                '\n' => line += 1,
                '{' => depth += 1,
                '}' => {
                    depth = depth.saturating_sub(1);
                    inner.retain(|(inside, _)| *inside <= depth);
                }
                ';' => imports = false,
                _ => {}
            }
            at += c.len_utf8();
            continue;
        }
        let word: String = code[at..].chars().take_while(|c| is_of_name(*c)).collect();
        let rest = &code[at + word.len()..];
        match word.as_str() {
            "use" => imports = true,
            "mod" => {
                let name: String = rest.trim_start().chars().take_while(|c| is_of_name(*c)).collect();
                if rest.trim_start()[name.len()..].trim_start().starts_with('{') {
                    inner.push((depth + 1, name));
                }
            }
            "crate" | "self" | "super" | "agui_runtime" if rest.starts_with("::") => {
                let (paths, length) = tree(&code[at..]);
                for (path, name) in paths {
                    let place: Place =
                        module.iter().cloned().chain(inner.iter().map(|(_, name)| name.clone())).collect();
                    if let Some(path) = absolute(&place, &path) {
                        named.push(Named { line, path, name, imports });
                    }
                }
                line += code[at..at + length].matches('\n').count();
                at += length;
                continue;
            }
            name if imports
                && inner.is_empty()
                && modules.contains(&child(module, name))
                && rest.starts_with("::") =>
            {
                let (paths, length) = tree(&code[at..]);
                named.extend(paths.into_iter().map(|(path, name)| Named {
                    line,
                    path: module.iter().cloned().chain(path).collect(),
                    name,
                    imports,
                }));
                line += code[at..at + length].matches('\n').count();
                at += length;
                continue;
            }
            _ => {}
        }
        at += word.len();
    }
    named
}

/// A path from the root of the crate on; `None` where it leads out of it.
fn absolute(module: &[String], path: &[String]) -> Option<Place> {
    let mut module = module.to_vec();
    let mut rest = path;
    match rest.split_first()? {
        (first, tail) if first == "crate" || first == "agui_runtime" => return Some(tail.to_vec()),
        (first, tail) if first == "self" => rest = tail,
        _ => {
            while let Some((first, tail)) = rest.split_first()
                && first == "super"
            {
                module.pop()?;
                rest = tail;
            }
        }
    }
    Some(module.into_iter().chain(rest.iter().cloned()).collect())
}

/// The paths of a tree of imports, each with the name that the file uses for it, and how long its text is.
fn tree(code: &str) -> (Vec<(Place, String)>, usize) {
    let mut path = Place::new();
    let mut at = 0;
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        let rest = &code[at..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut paths = Vec::new();
            let mut inside = 0;
            loop {
                let skipped = group[inside..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
                inside = group.len() - skipped.len();
                if skipped.is_empty() || skipped.starts_with('}') {
                    return (paths, at + 1 + inside + usize::from(!skipped.is_empty()));
                }
                let (inner, length) = tree(skipped);
                paths.extend(inner.into_iter().map(|(inner, name)| {
                    let inner = inner.into_iter().filter(|name| name != "self");
                    let whole: Place = path.iter().cloned().chain(inner).collect();
                    let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
                    (whole, name)
                }));
                inside += length.max(1);
            }
        }
        let name: String = match rest.strip_prefix('*') {
            Some(_) => "*".to_owned(),
            None => rest.chars().take_while(|c| is_of_name(*c)).collect(),
        };
        at += name.len();
        let is_last = name.is_empty() || !code[at..].starts_with("::") || code[at..].starts_with("::<");
        if !name.is_empty() {
            path.push(name);
        }
        if is_last {
            let own = path.last().cloned().unwrap_or_default();
            let renamed = code[at..].trim_start().strip_prefix("as ").map(|rest| {
                let name: String = rest.chars().take_while(|c| is_of_name(*c)).collect();
                (code.len() - rest.len() + name.len(), name)
            });
            let (end, name) = renamed.unwrap_or((at, own));
            return (vec![(path, name)], end);
        }
        at += 2;
    }
}
