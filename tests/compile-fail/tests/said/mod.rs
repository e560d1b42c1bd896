//! The mistakes in `tests/ui/advice`, and the errors in what the compiler says about them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub const PROGRAMS: [&str; 4] = ["early", "typed", "late", "foreign"];

pub const KINDS: [&str; 10] =
    ["agent", "client", "event", "helpers", "interrupt", "order", "server", "state", "tool", "types"];

/// Mistakes with more than one error, with their number and the reason.
pub const MORE_THAN_ONE: &[(&str, usize, &str)] = &[
    ("helpers/of_what_is_no_agent", 2, "a method of a type whose own bound is not met is not found either"),
    ("types/number_as_a_string_without_its_type", 4, "the derives of serde and schemars write the path too"),
    ("types/time_without_a_json_form", 6, "the derives of serde and schemars report it too"),
];

/// One error of the compiler, as its lines.
pub struct Error<'a>(pub Vec<&'a str>);

/// The words of an error about a mistake.
pub struct Message {
    pub headline: String,
    /// All of its text, without the frame.
    pub text: String,
}

impl Error<'_> {
    /// Its words, without the module of the mistake before a name, which the compiler writes if several modules have the name.
    pub fn about(&self, mistake: &str) -> Message {
        let (kind, name) = mistake.split_once('/').unwrap_or_default();
        let plain = |text: &str| {
            text.replace(&format!("{kind}::{name}::"), "")
                .replace(&format!("{name}::"), "")
                .replace("kit::", "")
        };
        let headline = self.0[0].split_once(": ").map_or("", |(_, headline)| headline);
        let text = self.0.iter().map(|line| {
            line.trim_start_matches(|letter: char| letter.is_ascii_digit() || " |=+~-^".contains(letter))
        });
        Message { headline: plain(headline), text: plain(&text.collect::<Vec<_>>().join(" ")) }
    }
}

/// The errors in what the compiler said.
pub fn errors(said: &str) -> Vec<Error<'_>> {
    let mut errors = Vec::new();
    let mut error: Vec<&str> = Vec::new();
    for line in said.lines().chain(["error: the end"]) {
        let begins = ["error: ", "error[", "warning: "].iter().any(|word| line.starts_with(word));
        if begins && !error.is_empty() {
            errors.push(Error(std::mem::take(&mut error)));
        }
        if !error.is_empty() || (begins && !line.starts_with("warning")) {
            error.push(line);
        }
    }
    errors
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/advice")
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The mistakes on disk, as `kind/name`.
pub fn mistakes() -> BTreeSet<String> {
    let entries = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut mistakes = BTreeSet::new();
    for kind in KINDS {
        for path in entries(folder().join(kind)) {
            mistakes.insert(format!("{kind}/{}", path.file_stem().unwrap().to_str().unwrap()));
        }
    }
    mistakes
}

/// The mistakes that a program has as modules.
pub fn modules(program: &str) -> Vec<String> {
    let mut kind = String::new();
    let mut modules = Vec::new();
    for line in read(&folder().join(format!("{program}.rs"))).lines() {
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            kind = name.to_owned();
        } else if let Some(name) = line.strip_prefix("    mod ").and_then(|rest| rest.strip_suffix(';')) {
            modules.push(format!("{kind}/{name}"));
        }
    }
    modules
}

/// The value of a line such as `//! error: …` at the top of a file.
pub fn stated(mistake: &str, what: &str) -> Option<String> {
    let source = read(&folder().join(format!("{mistake}.rs")));
    let prefix = format!("//! {what}: ");
    source.lines().find_map(|line| line.strip_prefix(&prefix).map(str::to_owned))
}

/// The differences between the errors of a mistake and what its file states.
pub fn faults(mistake: &str, errors: &[Message]) -> Vec<String> {
    let expected = MORE_THAN_ONE.iter().find(|(name, ..)| *name == mistake).map_or(1, |(_, count, _)| *count);
    let mut faults = Vec::new();
    if errors.len() != expected {
        faults.push(format!("{mistake}: {} errors, not {expected}", errors.len()));
    }
    let Some(headline) = stated(mistake, "error") else {
        return vec![format!("{mistake}: no line `//! error: …`")];
    };
    let Some(error) = errors.iter().find(|error| error.headline == headline) else {
        let found: Vec<_> = errors.iter().map(|error| &error.headline).collect();
        return vec![format!("{mistake}: expected `{headline}`, found {found:?}")];
    };
    if let Some(advice) = stated(mistake, "write")
        && !error.text.contains(&advice)
    {
        faults.push(format!("{mistake}: does not say `{advice}`:\n{}", error.text));
    }
    faults
}
