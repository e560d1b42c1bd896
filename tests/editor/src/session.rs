//! An editor that has the program open.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::connection::Connection;
use crate::text::{Place, edited};

/// The last version that builds on Rust 1.95.
const VERSION: &str = "0.0.330";

/// The files of the program.
const FILES: [&str; 2] = ["lib.rs", "stock.rs"];

pub struct Session {
    server: Connection,
    source: PathBuf,
    version: u64,
}

/// The target of a definition: its file, and the line of the name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    pub file: String,
    pub line: String,
}

impl Session {
    /// Starts rust-analyzer, which is built on first use, and waits until it knows the program.
    pub fn start() -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let target = package.join("../../target/editor");
        let program = package.join("shop");
        let mut server = Connection::start(&installed(&target), &program);
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri(&program),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": {
                        "definition": { "linkSupport": true },
                        "hover": { "contentFormat": ["markdown"] },
                        "completion": { "completionItem": { "snippetSupport": false } },
                    },
                    "workspace": { "workspaceEdit": { "documentChanges": true } },
                },
                "initializationOptions": {
                    "cachePriming": { "enable": false },
                    "cargo": { "targetDir": target.join("shop"), "sysrootSrc": library(&target) },
                    "checkOnSave": false,
                    "linkedProjects": [program.join("Cargo.toml")],
                },
            }),
        );
        server.notify("initialized", &json!({}));
        let mut session = Self { server, source: program.join("src"), version: 0 };
        for file in FILES {
            let text = session.saved(file);
            let document =
                json!({ "uri": session.uri(file), "languageId": "rust", "version": 0, "text": text });
            session.server.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        }
        session.server.wait(|message| {
            message["method"] == "experimental/serverStatus" && message["params"]["quiescent"] == true
        });
        session
    }

    /// The text of a file on disk.
    pub fn saved(&self, file: &str) -> String {
        let path = self.source.join(file);
        fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }

    /// The names that complete `text` at a position, as the text of a file.
    pub fn complete(&mut self, file: &str, text: &str, position: &Value) -> BTreeSet<String> {
        self.write(file, text);
        let document = json!({ "uri": self.uri(file) });
        let found = self
            .server
            .request("textDocument/completion", &json!({ "textDocument": document, "position": position }));
        let items = found["items"].as_array().or(found.as_array()).cloned().unwrap_or_default();
        let names = items
            .iter()
            .filter_map(|item| item["filterText"].as_str().or(item["label"].as_str()).map(str::to_owned));
        let names = names.collect();
        self.write(file, &self.saved(file));
        names
    }

    /// The text that is shown for a word; empty if there is none.
    pub fn hover(&mut self, place: Place<'_>) -> String {
        let shown = self.ask("hover", place, &json!({}));
        shown["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// The definitions to which a word leads, each as often as the editor lists it.
    pub fn definitions(&mut self, place: Place<'_>) -> Vec<Definition> {
        let found = self.ask("definition", place, &json!({}));
        let links = found.as_array().cloned().unwrap_or_default();
        links.iter().map(|link| self.definition(&link["targetUri"], &link["targetSelectionRange"])).collect()
    }

    /// The lines in which what the word names is used or declared.
    pub fn references(&mut self, place: Place<'_>) -> BTreeSet<Definition> {
        let found = self.ask("references", place, &json!({ "context": { "includeDeclaration": true } }));
        let places = found.as_array().cloned().unwrap_or_default();
        places.iter().map(|found| self.definition(&found["uri"], &found["range"])).collect()
    }

    /// The files as they are after a word has another name.
    pub fn rename(&mut self, place: Place<'_>, name: &str) -> BTreeMap<String, String> {
        let changes = self.ask("rename", place, &json!({ "newName": name }));
        let mut files: BTreeMap<String, String> =
            FILES.map(|file| (file.to_owned(), self.saved(file))).into();
        for change in changes["documentChanges"].as_array().expect("a rename changes documents") {
            let file = self.file_of(&change["textDocument"]["uri"]);
            let text = files.get_mut(&file).unwrap_or_else(|| panic!("the rename changes {file}"));
            *text = edited(text, change["edits"].as_array().unwrap());
        }
        files
    }

    fn ask(&mut self, question: &str, place: Place<'_>, more: &Value) -> Value {
        let mut params = more.clone();
        params["textDocument"] = json!({ "uri": self.uri(place.file) });
        params["position"] = place.position(&self.saved(place.file));
        self.server.request(&format!("textDocument/{question}"), &params)
    }

    fn write(&mut self, file: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(file), "version": self.version });
        self.server.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    fn definition(&self, uri: &Value, range: &Value) -> Definition {
        let file = self.file_of(uri);
        let text = fs::read_to_string(self.source.join(&file)).unwrap_or_default();
        let line = usize::try_from(range["start"]["line"].as_u64().unwrap()).unwrap();
        Definition { file, line: text.lines().nth(line).unwrap_or_default().trim().to_owned() }
    }

    fn uri(&self, file: &str) -> String {
        uri(&self.source.join(file))
    }

    /// The name of a file of the program; the whole path of another.
    fn file_of(&self, uri: &Value) -> String {
        let path = uri.as_str().unwrap().trim_start_matches("file://");
        Path::new(path).strip_prefix(&self.source).map_or(path.to_owned(), |file| file.display().to_string())
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The program `rust-analyzer` of this version.
fn installed(target: &Path) -> PathBuf {
    let program = target.join("bin/rust-analyzer");
    if !program.exists() {
        println!("building rust-analyzer {VERSION}, once");
        let built = Command::new(env!("CARGO"))
            .args(["install", "ra_ap_rust-analyzer", "--locked", "--version", VERSION, "--root"])
            .arg(target)
            .arg("--target-dir")
            .arg(target.join("build"))
            .status();
        assert!(built.is_ok_and(|built| built.success()), "rust-analyzer {VERSION} does not build");
    }
    program
}

/// The sources of the standard library, below the target folder: as a component of the toolchain, the compiler would show
/// lines of them in messages that tests compare.
fn library(target: &Path) -> PathBuf {
    let library = target.join("rust-src/library");
    if !library.exists() {
        let version = output(Command::new("rustc").arg("--version"));
        let version = version.split(' ').nth(1).unwrap();
        let sources = format!("rust-src-{version}");
        println!("downloading {sources}, once");
        fs::create_dir_all(target).unwrap();
        let archive = target.join("rust-src.tar.gz");
        let from = format!("https://static.rust-lang.org/dist/{sources}.tar.gz");
        output(
            Command::new("curl")
                .args(["--fail", "--silent", "--show-error", "--output"])
                .arg(&archive)
                .arg(from),
        );
        let within = format!("{sources}/rust-src/lib/rustlib/src/rust");
        output(
            Command::new("tar")
                .arg("-xzf")
                .arg(&archive)
                .arg("-C")
                .arg(target)
                .arg(format!("{within}/library")),
        );
        fs::create_dir_all(target.join("rust-src")).unwrap();
        fs::rename(target.join(within).join("library"), &library).unwrap();
        fs::remove_dir_all(target.join(sources)).unwrap();
        fs::remove_file(archive).unwrap();
    }
    library
}

fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Compiles the program with these files in place of its own, in a folder of the target folder.
///
/// # Errors
/// The messages of the compiler.
pub fn compile(files: &BTreeMap<String, String>) -> Result<(), String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = package.join("../../target/editor");
    // As far from the runtime as the program itself.
    let copy = target.join("renamed");
    fs::create_dir_all(copy.join("src")).unwrap();
    let manifest = fs::read_to_string(package.join("shop/Cargo.toml")).unwrap();
    fs::write(copy.join("Cargo.toml"), format!("{manifest}\n[workspace]\n")).unwrap();
    fs::copy(package.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    for (file, text) in files {
        fs::write(copy.join("src").join(file), text).unwrap();
    }
    let done = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--target-dir"])
        .arg(target.join("shop"))
        .current_dir(&copy)
        .output()
        .unwrap();
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}
