//! The guide works: each of its commands is run and each of its files written, in the order of the text.
//!
//! `<!-- file: path -->` is a file to write, `<!-- made: path -->` one that exists by then and contains the block, and
//! `<!-- refused: message -->` a module that does not compile, with the compiler's message. A block of `text` is for
//! people. The packages that npm would install are installed below `tests/node/checkers`, in the versions that the
//! guide names.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Checkers, ExampleServer, built, target_dir, workspace_dir};
use serde_json::Value;

use super::blocks::{Block, blocks};
use super::is_answered;
use super::project::Outside;

/// The state of following the text.
struct Follower {
    outside: Outside,
    /// The folder of the commands.
    here: PathBuf,
    server: Option<ExampleServer>,
    /// The modules that must not compile, and the message about each.
    refused: Vec<(PathBuf, String)>,
}

impl Follower {
    fn command(&mut self, command: &str, place: &str) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["cd", folder] => self.here = self.here.join(folder),
            ["cargo", "new", name] => {
                let _ = self.outside.cargo(&self.here, &words[1..]).assert_success();
                // The versions the workspace was tested with.
                let lock = self.here.join(name).join("Cargo.lock");
                fs::copy(workspace_dir().join("Cargo.lock"), lock).unwrap();
            }
            ["cargo", "add", ..] => drop(self.outside.cargo(&self.here, &words[1..]).assert_success()),
            ["cargo", "run"] => {
                let _ = self.outside.cargo(&self.here, &["build", "--quiet"]).assert_success();
                let name = self.here.file_name().unwrap().to_str().unwrap();
                let program = Command::new(target_dir().join("debug").join(name));
                let server = ExampleServer::spawn(name, program, Duration::from_secs(60));
                self.server = Some(server.unwrap_or_else(|cause| panic!("{cause}")));
            }
            ["curl", ..] => is_answered(command, self.server.as_ref().expect("a server before `curl`")),
            ["cargo", "install", "--path", path] => {
                assert!(self.here.join(path).join("src/main.rs").is_file(), "{place}: {path} has no program");
            }
            ["agui-codegen", rest @ ..] => {
                let program = Command::new(built("agui-codegen"));
                let _ = self.outside.run(program, &self.here, rest).assert_success();
            }
            ["npm", "create", "vite@latest", folder, "--", "--template", "react-ts"] => {
                fs::create_dir_all(self.here.join(folder).join("src")).unwrap();
            }
            ["npm", "install", "--prefix", "web", packages @ ..] => {
                packages.iter().for_each(|package| assert!(is_installed(package), "{place}: {package}"));
            }
            // A page in a browser is another matter; this test covers its compilation.
            ["npm", "run", "dev", "--prefix", "web"] => {}
            _ => panic!("{place}: nothing follows `{command}`"),
        }
    }

    fn block(&mut self, block: &Block, place: &str) {
        let path = |path: &str| self.here.join(path);
        match block.marker.as_ref().map(|(kind, what)| (kind.as_str(), what)) {
            Some(("file", name)) => {
                fs::create_dir_all(path(name).parent().unwrap()).unwrap();
                fs::write(path(name), format!("{}\n", block.text)).unwrap();
            }
            Some(("made", name)) => {
                let made =
                    fs::read_to_string(path(name)).unwrap_or_else(|why| panic!("{place}: {name}: {why}"));
                assert!(made.contains(&block.text), "{place}: this is not in {name}:\n{made}");
            }
            Some(("refused", message)) => {
                let name = path(&format!("web/src/refused-{}.tsx", self.refused.len()));
                fs::write(&name, &block.text).unwrap();
                self.refused.push((name, message.clone()));
            }
            Some((kind, _)) => panic!("{place}: what is `{kind}`?"),
            None => assert_eq!(block.language, "text", "{place}: what is this block?"),
        }
    }

    /// Compiles the page without the refused modules, and then with each of them.
    fn compile(&self, checkers: &Checkers) {
        let web = self.here.join("web");
        let said = checkers.type_check(&web).stdout;
        // The details of an error are indented below it.
        let mut errors: Vec<String> = Vec::new();
        for line in said.lines() {
            match errors.last_mut() {
                Some(error) if line.starts_with(' ') => error.push_str(line),
                _ => errors.push(line.to_owned()),
            }
        }
        for (module, message) in &self.refused {
            let start = format!("src/{}(", module.file_name().unwrap().display());
            let (here, others): (Vec<_>, Vec<_>) =
                errors.into_iter().partition(|error| error.starts_with(&start));
            assert!(here.len() == 1 && here[0].contains(message.as_str()), "no `{message}` alone: {here:#?}");
            errors = others;
        }
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

/// Returns true if the packages of `tests/node/checkers` are those that `npm install` would bring for `package`,
/// `name@version`.
fn is_installed(package: &str) -> bool {
    let lock = fs::read_to_string(workspace_dir().join("tests/node/checkers/package-lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    let (name, version) = package.rsplit_once('@').unwrap();
    lock["packages"][format!("node_modules/{name}")]["version"] == version
}

#[test]
fn the_guide_works() {
    let checkers = need!(Checkers::ready());
    let outside = Outside::without(&["planner"]);
    let here = outside.folder.clone();
    let mut follower = Follower { outside, here, server: None, refused: Vec::new() };
    let guide = fs::read_to_string(workspace_dir().join("examples/GUIDE.md")).unwrap();
    let blocks = blocks(&guide);
    assert!(blocks.len() > 12, "{} blocks", blocks.len());
    for block in &blocks {
        let place = format!("GUIDE.md:{}", block.line);
        if block.language == "console" {
            block.commands().for_each(|command| follower.command(command, &place));
        } else {
            follower.block(block, &place);
        }
    }
    assert!(follower.refused.len() >= 3);
    follower.compile(&checkers);
}
