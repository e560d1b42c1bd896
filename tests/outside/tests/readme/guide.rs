//! The guide works, and that for frontends: each command is run and each file written, in the order of the text.
//!
//! `<!-- file: path -->` is a file to write, `<!-- made: path -->` one that exists by then and contains the block, and
//! `<!-- refused: message -->` a module that does not compile, with the compiler's message. A block of `text` is for
//! people. The packages that npm would install are installed below `tests/node`, in the versions that the guide names.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Checkers, ExampleServer, Pages, built, target_dir, workspace_dir};
use serde_json::Value;

use super::blocks::{Block, blocks};
use super::is_answered;
use super::project::Outside;

/// The address of an agent in the text; the one here has another port.
const ADDRESS: &str = "http://127.0.0.1:8000";

/// The compiler's settings of a new page.
const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "strict": true, "noEmit": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
    "verbatimModuleSyntax": true, "lib": ["es2022", "dom", "dom.iterable"], "types": [], "skipLibCheck": true
  },
  "include": ["src"]
}
"#;

/// The state of following the text.
struct Follower {
    outside: Outside,
    /// The folder of the page, below that of the commands.
    page: &'static str,
    /// The folder of `tests/node` with the packages of the page.
    packages: &'static str,
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
            ["cargo", "run", "-p", example] => self.server = Some(ExampleServer::start(example)),
            ["cargo", "run"] => {
                let _ = self.outside.cargo(&self.here, &["build", "--quiet"]).assert_success();
                let name = self.here.file_name().unwrap().to_str().unwrap();
                let program = Command::new(target_dir().join("debug").join(name));
                let server = ExampleServer::spawn(name, program, Duration::from_secs(60));
                self.server = Some(server.unwrap_or_else(|cause| panic!("{cause}")));
            }
            ["curl", ..] => is_answered(command, self.server.as_ref().expect("a server before `curl`")),
            ["cargo", "install", "--path", path] => {
                // The guide is in a project, and the page for frontends in the clone.
                let is_there =
                    [&self.here, workspace_dir()].map(|base| base.join(path).join("src/main.rs").is_file());
                assert!(is_there.contains(&true), "{place}: {path} has no program");
            }
            ["agui-codegen", rest @ ..] => {
                let rest: Vec<String> = rest.iter().map(|word| self.here_served(word)).collect();
                let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
                let program = Command::new(built("agui-codegen"));
                let _ = self.outside.run(program, &self.here, &rest).assert_success();
            }
            ["npm", "create", "vite@latest", folder, "--", "--template", "react-ts" | "vanilla-ts"] => {
                fs::create_dir_all(self.here.join(folder).join("src")).unwrap();
            }
            ["npm", "install", "--prefix", "web", packages @ ..] | ["npm", "install", packages @ ..] => {
                let is_there =
                    |package: &&str| assert!(is_installed(self.packages, package), "{place}: {package}");
                packages.iter().for_each(is_there);
            }
            // A page in a browser is another matter; these tests compile it, and run a program without a document.
            ["npm", "run", "dev", "--prefix", "web"] | ["npm", "run", "dev"] => {}
            _ => panic!("{place}: nothing follows `{command}`"),
        }
    }

    fn block(&mut self, block: &Block, place: &str) {
        let path = |path: &str| self.here.join(path);
        match block.marker.as_ref().map(|(kind, what)| (kind.as_str(), what)) {
            Some(("file", name)) => {
                fs::create_dir_all(path(name).parent().unwrap()).unwrap();
                fs::write(path(name), format!("{}\n", self.here_served(&block.text))).unwrap();
            }
            Some(("made", name)) => {
                let made =
                    fs::read_to_string(path(name)).unwrap_or_else(|why| panic!("{place}: {name}: {why}"));
                assert!(made.contains(&block.text), "{place}: this is not in {name}:\n{made}");
            }
            Some(("refused", message)) => {
                let name =
                    path(&format!("{}src/refused-{}.{}", self.page, self.refused.len(), block.language));
                fs::write(&name, &block.text).unwrap();
                self.refused.push((name, message.clone()));
            }
            Some((kind, _)) => panic!("{place}: what is `{kind}`?"),
            None => assert_eq!(block.language, "text", "{place}: what is this block?"),
        }
    }

    /// The text with the address of the server that runs here.
    fn here_served(&self, text: &str) -> String {
        match &self.server {
            Some(server) => text.replace(ADDRESS, server.url()),
            None => text.to_owned(),
        }
    }

    /// Fails unless the compiler says about each refused module what the text says, and nothing else.
    fn assert_compiled(&self, said: &str) {
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

    /// Follows a document in `examples`.
    fn follow(&mut self, document: &str) {
        let text = fs::read_to_string(workspace_dir().join("examples").join(document)).unwrap();
        let blocks = blocks(&text);
        assert!(blocks.len() > 8, "{} blocks", blocks.len());
        for block in &blocks {
            let place = format!("{document}:{}", block.line);
            if block.language == "console" {
                block.commands().for_each(|command| self.command(command, &place));
            } else {
                self.block(block, &place);
            }
        }
    }
}

/// Returns true if the packages of a folder of `tests/node` are those that `npm install` would bring for `package`,
/// `name@version`.
fn is_installed(folder: &str, package: &str) -> bool {
    let lock = workspace_dir().join("tests/node").join(folder).join("package-lock.json");
    let lock: Value = serde_json::from_str(&fs::read_to_string(lock).unwrap()).unwrap();
    let (name, version) = package.rsplit_once('@').unwrap();
    lock["packages"][format!("node_modules/{name}")]["version"] == version
}

#[test]
fn the_guide_works() {
    let checkers = need!(Checkers::ready());
    let outside = Outside::without(&["planner"]);
    let here = outside.folder.clone();
    let (page, packages, refused) = ("web/", "checkers", Vec::new());
    let mut follower = Follower { outside, page, packages, here, server: None, refused };
    follower.follow("GUIDE.md");
    assert!(follower.refused.len() >= 3);
    follower.assert_compiled(&checkers.type_check(&follower.here.join("web")).stdout);
}

#[test]
fn a_page_for_an_agent_that_exists_works() {
    let pages = need!(Pages::ready());
    let outside = Outside::without(&["shop"]);
    let here = outside.folder.clone();
    let (page, packages, refused) = ("", "pages", Vec::new());
    let mut follower = Follower { outside, page, packages, here, server: None, refused };
    follower.follow("FRONTEND.md");
    assert!(follower.refused.len() >= 2);
    let shop = &follower.here;
    pages.install(shop);
    fs::write(shop.join("tsconfig.json"), TSCONFIG).unwrap();
    follower.assert_compiled(&pages.npm(shop, &["exec", "tsc"]).stdout);
    let said = pages.run(shop, "src/main.ts", "").assert_success().stdout;
    assert!(said.contains("[] 0\n[ 'rice' ] 180\n") && said.ends_with("messages\n"), "{said}");
}
