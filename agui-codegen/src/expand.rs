//! `agui-codegen expand`: prints the code that the macros pass to the compiler.
//!
//! The macros record their own output while cargo builds one crate as usual: no second implementation could differ, and
//! stable Rust is enough. The crate gets a separate `--cfg`: the macros recognise the crate by that `--cfg`, and cargo
//! keeps this build apart from other builds. The macros also add tokens to their output that make cargo build again
//! each time.

use std::path::PathBuf;
use std::process::Stdio;

use crate::arguments::build::BuildOptions;
use crate::arguments::{ExpandArguments, ManifestSource};
use crate::extract::{CargoWorkspace, ExtractError, WorkspacePackage};
use crate::job::{JobError, single_package};

/// An `expand` error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExpandError {
    #[error(transparent)]
    Package(#[from] JobError),
    #[error(transparent)]
    Extract(#[from] ExtractError),
    #[error(
        "{place} uses no macro of agui-runtime: a library, a binary, an example or a test is chosen with `--lib`, \
         `--bin`, `--example` or `--test`, a package with `-p`"
    )]
    NoMacro { place: String },
    #[error("no macro of agui-runtime is on `{item}` in {place}; there are: {known}")]
    NoItem { item: String, place: String, known: String },
    #[error("{}: the record of the macros cannot be read: {reason}", path.display())]
    Record { path: PathBuf, reason: String },
}

/// A recorded expansion.
#[derive(Debug, PartialEq, Eq)]
struct ExpansionRecord {
    /// The macro: `#[tool]`.
    name: String,
    /// The name of the item under the macro.
    item: String,
    file: String,
    line: String,
    tokens: String,
}

/// Prints the expansions.
pub(crate) fn expand(options: &ExpandArguments, say: &mut dyn FnMut(&str)) -> Result<bool, ExpandError> {
    let source = ManifestSource {
        package: options.package.iter().cloned().collect(),
        build: options.build.clone(),
        ..ManifestSource::default()
    };
    let workspace = CargoWorkspace::load(&source)?;
    let package = single_package(&workspace, &source)?;
    let parts = parts(options, package)?;
    let names: Vec<String> = parts.iter().map(|part| part.join(" ")).collect();
    let place = format!("package `{}` ({})", package.name, names.join(", "));
    let mut records = Vec::new();
    let mut is_built = true;
    for part in &parts {
        let (more, built) = run(&options.build, &workspace, package, part)?;
        records.extend(more);
        is_built &= built;
    }
    let broken = || ExtractError::Build { package: package.name.clone() };
    if records.is_empty() {
        return Err(if is_built { ExpandError::NoMacro { place } } else { broken().into() });
    }
    let asked: Vec<&ExpansionRecord> = match &options.item {
        None => records.iter().collect(),
        Some(item) => find(&records, item),
    };
    if asked.is_empty() {
        let known: Vec<String> =
            records.iter().map(|record| format!("{} on `{}`", record.name, record.item)).collect();
        let item = options.item.clone().unwrap_or_default();
        return Err(ExpandError::NoItem { item, place, known: known.join(", ") });
    }
    for (index, record) in asked.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let ExpansionRecord { name, item, file, line, tokens } = record;
        say(&format!("{gap}// {name} on `{item}`, {file}:{line}\n{}", formatted(tokens)));
    }
    if is_built { Ok(true) } else { Err(broken().into()) }
}

/// Returns the targets to expand, each with the cargo options that select the target.
fn parts(options: &ExpandArguments, package: &WorkspacePackage) -> Result<Vec<Vec<String>>, ExpandError> {
    let other = |option: &str, name: &str| vec![option.to_owned(), name.to_owned()];
    if let Some(name) = &options.bin {
        if !package.binaries().contains(name) {
            let known = package.binaries().join(", ");
            let unknown =
                ExtractError::UnknownBinary { package: package.name.clone(), name: name.clone(), known };
            return Err(unknown.into());
        }
        return Ok(vec![other("--bin", name)]);
    }
    if let Some(name) = &options.example {
        return Ok(vec![other("--example", name)]);
    }
    if let Some(name) = &options.test {
        return Ok(vec![other("--test", name)]);
    }
    let mut parts: Vec<Vec<String>> =
        package.library_name().map(|_| vec!["--lib".to_owned()]).into_iter().collect();
    if !options.lib {
        parts.extend(package.binaries().iter().map(|name| other("--bin", name)));
    }
    if parts.is_empty() {
        return Err(ExtractError::NoBinary { package: package.name.clone() }.into());
    }
    Ok(parts)
}

/// Builds one crate. Returns the macros' output, and true if the crate compiles.
fn run(
    build: &BuildOptions,
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    part: &[String],
) -> Result<(Vec<ExpansionRecord>, bool), ExpandError> {
    let folder = workspace.target.join("agui-codegen");
    let io = |source| ExtractError::Read { path: folder.clone(), source };
    std::fs::create_dir_all(&folder).map_err(io)?;
    // The value differs each time, so that cargo builds again.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let out = folder.join(format!("expand-{}-{}.txt", std::process::id(), now.as_nanos()));
    let mut command = crate::extract::cargo();
    command.args(["rustc", "--quiet", "--package", &package.name]).args(part);
    command.arg("--target-dir").arg(&workspace.target).current_dir(&package.folder);
    for (option, value) in [("--profile", &build.profile), ("--target", &build.target)] {
        command.args(value.iter().flat_map(|value| [option, value]));
    }
    build.add_package_options(&mut command);
    command.args(build.offline.then_some("--offline"));
    // The macros recognise the crate by the `--cfg`. Other builds show the crate's warnings.
    command.args(["--", "--cfg", "agui_expand", "--cap-lints", "allow"]);
    command.env("AGUI_EXPAND_OUT", &out);
    let status = command.stdin(Stdio::null()).status().map_err(ExtractError::Cargo)?;
    let text = match std::fs::read_to_string(&out) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(ExtractError::Read { path: out, source }.into()),
    };
    // No later step reads the file.
    let _ = std::fs::remove_file(&out);
    let records = read(&text).ok_or_else(|| ExpandError::Record {
        path: out,
        reason: "another version of agui-runtime-macros wrote it".into(),
    })?;
    Ok((records, status.success()))
}

/// Reads the format that `agui-runtime-macros` writes: a line with the token length and the item name, then the tokens.
fn read(mut text: &str) -> Option<Vec<ExpansionRecord>> {
    let mut records = Vec::new();
    while !text.is_empty() {
        let (head, rest) = text.split_once('\n')?;
        let mut parts = head.splitn(5, '\t');
        let length: usize = parts.next()?.parse().ok()?;
        let mut part = || parts.next().map(str::to_owned);
        let (name, item, line, file) = (part()?, part()?, part()?, part()?);
        records.push(ExpansionRecord { name, item, file, line, tokens: rest.get(..length)?.to_owned() });
        text = rest.get(length..)?.strip_prefix('\n')?;
    }
    Some(records)
}

/// Returns the records from a file, or the records for an item name. If several items have the name, returns the items
/// in files that match the path.
fn find<'r>(records: &'r [ExpansionRecord], asked: &str) -> Vec<&'r ExpansionRecord> {
    if asked.ends_with(".rs") || asked.contains(['/', '\\']) {
        let asked = asked.trim_start_matches("./").replace('\\', "/");
        let is_it = |record: &&ExpansionRecord| record.file.replace('\\', "/").ends_with(&asked);
        return records.iter().filter(is_it).collect();
    }
    let mut path: Vec<&str> = asked.split("::").filter(|part| !["crate", "self"].contains(part)).collect();
    // `#[agent] fn shopping_list` declares the type `ShoppingList`.
    let plain = |name: &str| name.trim_start_matches("r#").replace('_', "").to_lowercase();
    let name = path.pop().unwrap_or_default().trim_start_matches("r#");
    let mut named: Vec<&ExpansionRecord> = records.iter().filter(|record| record.item == name).collect();
    if named.is_empty() {
        named = records.iter().filter(|record| plain(&record.item) == plain(name)).collect();
    }
    let is_there = |record: &&&ExpansionRecord| {
        let file = record.file.replace('\\', "/");
        let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        path.iter().all(|module| parts.contains(module))
    };
    let there: Vec<&ExpansionRecord> = named.iter().filter(is_there).copied().collect();
    if there.is_empty() { named } else { there }
}

/// Formats the tokens; returns them unformatted if they are not valid Rust.
fn formatted(tokens: &str) -> String {
    match syn::parse_file(tokens) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => format!("{tokens}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(item: &str, file: &str) -> ExpansionRecord {
        let of = |text: &str| text.to_owned();
        ExpansionRecord {
            name: of("#[tool]"),
            item: of(item),
            file: of(file),
            line: of("7"),
            tokens: of("struct A;\n"),
        }
    }

    #[test]
    fn records_are_read() {
        let text =
            "10\t#[tool]\tprice\t7\tsrc/a b.rs\nstruct A;\n\n10\t#[tool]\tpay\t7\tsrc/pay.rs\nstruct A;\n\n";
        assert_eq!(read(text), Some(vec![record("price", "src/a b.rs"), record("pay", "src/pay.rs")]));
        assert_eq!(read(""), Some(vec![]));
        for broken in ["10\t#[tool]\tprice\t7\tsrc/a.rs\nstruct", "x\n", "3\tabc\nabc\n"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    #[test]
    fn items_are_found_by_name_path_and_file() {
        let records = [
            record("price", "src/shop.rs"),
            record("price", "src/bakery/mod.rs"),
            record("shopping_list", "src/main.rs"),
        ];
        let files =
            |asked: &str| find(&records, asked).iter().map(|record| &*record.file).collect::<Vec<_>>();
        assert_eq!(files("price"), ["src/shop.rs", "src/bakery/mod.rs"]);
        assert_eq!(files("crate::bakery::price"), ["src/bakery/mod.rs"]);
        assert_eq!(files("bakery::price"), ["src/bakery/mod.rs"]);
        assert_eq!(
            files("inline::price"),
            ["src/shop.rs", "src/bakery/mod.rs"],
            "a module may be in the file"
        );
        assert_eq!(files("ShoppingList"), ["src/main.rs"]);
        assert_eq!(files("./src/shop.rs"), ["src/shop.rs"]);
        assert!(files("pay").is_empty());
    }

    #[test]
    fn invalid_rust_is_printed_unformatted() {
        assert_eq!(formatted("struct A { b : u8 }"), "struct A {\n    b: u8,\n}\n");
        assert_eq!(formatted("struct A {"), "struct A {\n");
    }
}
