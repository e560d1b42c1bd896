//! The guide works, and that for frontends: each command is run and each file written, in the order of the text.
//!
//! `<!-- file: path -->` is a file to write, `<!-- made: path -->` one that exists by then and contains the block, and
//! `<!-- refused: message -->` a module that does not compile, with the compiler's message. A block of `text` is for
//! people. The packages that npm would install are installed below `tests/node`, in the versions that the guide names.
//! The time that the commands take without their downloads is printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::need;
use agui_tests::outside::{
    CargoFolder, Checkers, Chromium, ExampleServer, Pages, built, target_dir, workspace_dir,
};
use serde_json::{Value, json};

use super::blocks::{Block, blocks};
use super::dev_server::{DevServer, vite};
use super::is_answered;
use super::project::folder_without;

/// The address of an agent in the text; the one here has another port.
const ADDRESS: &str = "127.0.0.1:8000";

/// The strictest settings of the compiler, beside those of a page.
const STRICT: [&str; 6] = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--noImplicitReturns",
    // The libraries of the templates, for a compiler older than theirs.
    "--lib",
    "es2023,dom,dom.iterable",
];

/// The packages that make the pages of a text, and the browser that opens them.
struct Browsed {
    pages: Pages,
    chromium: Chromium,
}

/// The state of following the text.
struct Follower {
    outside: CargoFolder,
    /// The folder of the page, below that of the commands.
    page: &'static str,
    /// The folder of `tests/node` with the packages of the page.
    packages: &'static str,
    /// The folder of the commands.
    here: PathBuf,
    /// The servers, each with its address in the text.
    servers: Vec<(String, ExampleServer)>,
    /// The modules that must not compile, and the message about each.
    refused: Vec<(PathBuf, String)>,
    /// Pages are made as npm makes them, and used in a browser.
    browsed: Option<Browsed>,
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
            ["cargo", "run", "-p", example] => {
                self.servers.push((ADDRESS.to_owned(), ExampleServer::start(example)));
            }
            [address, "cargo", "run", "-p", example] if address.starts_with("AGUI_ADDR=") => {
                let address = address.trim_start_matches("AGUI_ADDR=").to_owned();
                self.servers.push((address, ExampleServer::start(example)));
            }
            ["cargo", "run"] => {
                let _ = self.outside.cargo(&self.here, &["build", "--quiet"]).assert_success();
                let name = self.here.file_name().unwrap().to_str().unwrap();
                let program = Command::new(target_dir().join("debug").join(name));
                let server = ExampleServer::spawn(name, program, Duration::from_secs(60));
                let server = server.unwrap_or_else(|cause| panic!("{cause}"));
                self.servers.push((ADDRESS.to_owned(), server));
            }
            ["curl", ..] => is_answered(command, &self.servers.last().expect("a server before `curl`").1),
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
            ["npm", "create", "vite@latest", folder, "--", "--template", template] => match &self.browsed {
                Some(Browsed { pages, .. }) => pages.create(&self.here, folder, template),
                None => fs::create_dir_all(self.here.join(folder).join("src")).unwrap(),
            },
            ["npm", "install", "--prefix", "web", packages @ ..] | ["npm", "install", packages @ ..] => {
                let is_there =
                    |package: &&str| assert!(is_installed(self.packages, package), "{place}: {package}");
                packages.iter().for_each(is_there);
                if let Some(Browsed { pages, .. }) = &self.browsed {
                    pages.install(&self.here);
                }
            }
            // The page is only compiled.
            ["npm", "run", "dev", "--prefix", "web"] => {}
            ["npm", "run", "dev"] => self.use_the_page(),
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
        self.servers.iter().fold(text.to_owned(), |text, (address, server)| {
            text.replace(address, server.url().trim_start_matches("http://"))
        })
    }

    /// Opens the page in a browser, and does what its user would do.
    fn use_the_page(&self) {
        let Browsed { pages, chromium } = self.browsed.as_ref().expect("a page in a browser");
        let server = DevServer::start(pages, &self.here, vite);
        let job = json!({ "react": self.here.join("src/App.tsx").exists() });
        let name = self.here.file_name().unwrap().to_str().unwrap();
        chromium.browse(name, "frontend.mjs", &server.url(), &job).assert_ok();
    }

    /// Compiles the page in `folder` with its own settings and the strictest ones.
    fn compile(&self, folder: &str) {
        let Browsed { pages, .. } = self.browsed.as_ref().expect("the packages of a page");
        let folder = self.outside.path.join(folder);
        let settings = ["tsconfig.app.json", "tsconfig.json"].map(|name| folder.join(name));
        let settings = settings.iter().find(|path| path.exists()).expect("the settings of the template");
        let settings = ["exec", "--", "tsc", "--project", settings.to_str().unwrap()];
        let compiled = pages.npm(&folder, &[&settings, STRICT.as_slice()].concat());
        let is_right = !self.refused.iter().any(|(module, _)| module.starts_with(&folder));
        assert_eq!(compiled.status.success(), is_right, "{compiled}");
        self.assert_compiled(&folder, &compiled.stdout);
    }

    /// Fails unless the compiler says about each refused module of a page what the text says, and nothing else.
    fn assert_compiled(&self, page: &Path, said: &str) {
        // The details of an error are indented below it.
        let mut errors: Vec<String> = Vec::new();
        for line in said.lines() {
            match errors.last_mut() {
                Some(error) if line.starts_with(' ') => error.push_str(line),
                _ => errors.push(line.to_owned()),
            }
        }
        for (module, message) in self.refused.iter().filter(|(module, _)| module.starts_with(page)) {
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
        let begin = Instant::now();
        for block in &blocks {
            let place = format!("{document}:{}", block.line);
            if block.language == "console" {
                block.commands().for_each(|command| self.command(command, &place));
            } else {
                self.block(block, &place);
            }
        }
        println!("{document}: followed in {:.1?}, without downloads", begin.elapsed());
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
    let outside = folder_without(&["planner"]);
    let here = outside.path.clone();
    let (servers, refused) = (Vec::new(), Vec::new());
    let mut follower =
        Follower { outside, page: "web/", packages: "checkers", here, servers, refused, browsed: None };
    follower.follow("GUIDE.md");
    assert!(follower.refused.len() >= 3);
    let web = follower.here.join("web");
    follower.assert_compiled(&web, &checkers.type_check(&web).stdout);
}

#[test]
fn a_page_for_an_agent_that_exists_works() {
    let browsed = Some(Browsed { pages: need!(Pages::ready()), chromium: need!(Chromium::ready()) });
    let outside = folder_without(&["shop", "shop-react"]);
    let here = outside.path.clone();
    let (servers, refused) = (Vec::new(), Vec::new());
    let mut follower = Follower { outside, page: "", packages: "pages", here, servers, refused, browsed };
    follower.follow("FRONTEND.md");
    assert!(follower.refused.len() >= 2);
    follower.compile("shop");
    follower.compile("shop-react");
}
