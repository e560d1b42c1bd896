//! Follows the README of a new project: runs each of its commands, in the order of the text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agui_tests::outside::{
    CargoFolder, Chromium, CopilotKit, ExampleServer, Pages, Python, artefact, built, finish, target_dir,
    workspace_dir,
};
use serde_json::{Value, json};

use super::super::blocks::blocks;
use super::super::dev_server::{DevServer, esbuild};
use super::super::developing::Developing;
use super::super::is_answered;
use super::combination::Combination;
use super::{has_copilotkit, install, run_script};

const LIMIT: Duration = Duration::from_secs(120);

/// The address of the agent in the files of a project.
const ADDRESS: &str = "http://127.0.0.1:8000";

/// The state of following the text.
pub(crate) struct Follower<'a> {
    outside: &'a CargoFolder,
    project: &'a Path,
    /// The folder of the commands. Each block begins in the project.
    here: PathBuf,
    pages: &'a Pages,
    copilotkit: &'a CopilotKit,
    python: &'a Python,
    chromium: &'a Chromium,
    server: Option<ExampleServer>,
    done: Vec<String>,
    /// The time of the first answer to a client with generated types.
    pub(crate) first_answer: Option<SystemTime>,
}

impl<'a> Follower<'a> {
    pub(crate) fn new(
        outside: &'a CargoFolder,
        project: &'a Path,
        (pages, copilotkit): (&'a Pages, &'a CopilotKit),
        python: &'a Python,
        chromium: &'a Chromium,
    ) -> Self {
        let (here, server, done, first_answer) = (project.to_owned(), None, Vec::new(), None);
        Self { outside, project, here, pages, copilotkit, python, chromium, server, done, first_answer }
    }

    /// Runs every command of the README.
    pub(crate) fn follow(&mut self) {
        let readme = fs::read_to_string(self.project.join("README.md")).unwrap();
        for block in blocks(&readme) {
            assert_eq!(block.language, "console", "README.md:{}", block.line);
            self.here = self.project.to_owned();
            for command in block.commands() {
                self.command(command);
                self.done.push(command.to_owned());
            }
        }
    }

    /// Fails if a part of the combination was not used, or its generated files are not up to date.
    pub(crate) fn assert_complete(&self, combination: Combination) {
        let is_done = |part: &str| self.done.iter().any(|command| command.contains(part));
        for (part, is_chosen) in [
            ("cargo test", true),
            ("npm run dev", combination.page.is_some()),
            ("main.py", combination.python),
        ] {
            assert_eq!(is_done(part), is_chosen, "{part}: {:?}", self.done);
        }
        if combination.page.is_some() || combination.python {
            let said = self.generator(&["doctor"]);
            assert!(said.contains(": the generated files are up to date\n"), "{said}");
            let _ = self.generator(&["generate", "--check"]);
        }
        assert_eq!(self.project.join("threads.db").exists(), combination.threads);
    }

    fn generator(&self, arguments: &[&str]) -> String {
        let program = Command::new(built("agui-codegen"));
        self.outside.run(program, self.project, arguments).assert_success().stdout
    }

    fn command(&mut self, command: &str) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["cd", folder] => self.here = self.here.join(folder),
            ["cargo", "test"] => {
                let said = self.outside.cargo(&self.here, &["test", "--quiet"]).assert_success().stdout;
                assert!(said.contains("test result: ok. 2 passed"), "{said}");
            }
            ["cargo", "run"] => self.run(),
            ["curl", ..] => is_answered(command, self.server()),
            ["agui-codegen", "dev", options @ ..] => self.develop(options),
            ["agui-codegen", arguments @ ..] => drop(self.generator(arguments)),
            // `dev` has installed them.
            ["npm", "install"] => assert!(self.here.join("node_modules").is_dir()),
            ["npm", "run", "dev"] => self.open_the_page(),
            ["npm", "run", script @ ..] => run_script(self.project, self.pages, script),
            ["python3", "-m", "venv", ".venv"] => {}
            [".venv/bin/pip", "install", "-r", requirements] => self.assert_required(requirements),
            [".venv/bin/python", script, ..] => self.talk(script),
            _ => panic!("nothing follows `{command}`"),
        }
    }

    /// Starts all with one command, and ends it.
    fn develop(&self, options: &[&str]) {
        install(self.project, self.pages, self.copilotkit);
        let mut dev = Developing::start_with(&built("agui-codegen"), self.project, options);
        let screen = dev.says("Ctrl-C ends all of it");
        dev.end(
            "TERM",
            &["agent ", "page "]
                .map(|name| Developing::address(&screen, name))
                .each_ref()
                .map(String::as_str),
        );
    }

    /// Starts the server, and puts its address in place of the usual one, which may be taken on this machine.
    fn run(&mut self) {
        let _ = self.outside.cargo(&self.here, &["build", "--quiet"]).assert_success();
        let name = self.project.file_name().unwrap().to_str().unwrap();
        let mut program = Command::new(target_dir().join("debug").join(name));
        program.current_dir(&self.here).env_remove("AGUI_MODEL");
        let server = ExampleServer::spawn(name, program, Duration::from_secs(60));
        let server = server.unwrap_or_else(|cause| panic!("{cause}"));
        for file in ["web/src/main.ts", "web/src/main.tsx", "python/main.py"] {
            let path = self.project.join(file);
            if let Ok(text) = fs::read_to_string(&path) {
                assert!(text.contains(ADDRESS), "{file} does not have the address of the agent");
                fs::write(&path, text.replace(ADDRESS, server.url())).unwrap();
            }
        }
        self.server = Some(server);
    }

    fn server(&self) -> &ExampleServer {
        self.server.as_ref().expect("`cargo run` comes first")
    }

    /// The page in a browser, from the development server.
    fn open_the_page(&mut self) {
        let server = DevServer::start(self.pages, &self.here, esbuild);
        let has = |file: &str| self.project.join(file).exists();
        let name = self.project.file_name().unwrap().to_str().unwrap();
        let picture = |light: &str| artefact(&format!("{name}-{light}.png"));
        let job = json!({
            "agent": self.server().url(), "dark": picture("dark"), "light": picture("light"), "threads": has("threads.db"),
        });
        let script = if has_copilotkit(self.project) { "new-copilotkit.mjs" } else { "new.mjs" };
        let report = self.chromium.browse(name, script, &server.url(), &job);
        report.assert_ok();
        let first = Duration::from_millis(report.value.as_u64().unwrap());
        self.first_answer.get_or_insert(UNIX_EPOCH + first);
    }

    /// The packages that pip would install are those of the tests.
    fn assert_required(&self, requirements: &str) {
        let wanted = fs::read_to_string(self.here.join(requirements)).unwrap();
        let installed = fs::read_to_string(workspace_dir().join("tests/python/requirements.txt")).unwrap();
        assert!(wanted.lines().count() >= 3, "{wanted}");
        for package in wanted.lines() {
            assert!(installed.lines().any(|line| line.starts_with(&format!("{package} "))), "{package}");
        }
    }

    /// The client in Python, to which a user says two things.
    fn talk(&mut self, script: &str) {
        let say = |text: &str, answer: &str| {
            let mut command = self.python.command(self.here.join(script));
            command.arg(text).current_dir(&self.here);
            finish(command, answer, LIMIT).assert_success().stdout
        };
        let added = say("Buy rice", "");
        self.first_answer.get_or_insert(SystemTime::now());
        assert!(added.contains("tasks: Buy rice\n") && added.contains("On your list: Buy rice."), "{added}");
        let refused = say("remove Buy rice", "n\n");
        assert!(refused.contains("Remove Buy rice? [y/n] "), "{refused}");
        assert!(refused.contains("The list stays as it is."), "{refused}");
        let removed = say("remove Buy rice", "y\n");
        assert!(removed.contains("Your list is empty."), "{removed}");
    }
}

#[test]
fn the_packages_of_all_pages_are_those_of_the_tests() {
    let read = |path: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(workspace_dir().join(path)).unwrap()).unwrap()
    };
    let [pages, copilotkit] =
        ["pages", "copilotkit"].map(|name| read(&format!("tests/node/{name}/package-lock.json")));
    let mut packages = 0;
    for (page, locks) in
        [("plain", vec![&pages]), ("react", vec![&pages]), ("copilotkit", vec![&copilotkit, &pages])]
    {
        let wanted = read(&format!("agui-codegen/template/{page}/package.json"));
        for (name, version) in
            ["dependencies", "devDependencies"].iter().flat_map(|key| wanted[key].as_object().unwrap())
        {
            let place = format!("node_modules/{name}");
            let locked =
                locks.iter().map(|lock| &lock["packages"][&place]).find(|package| package.is_object());
            let locked = locked.unwrap_or_else(|| panic!("{page}: the tests do not have {name}"));
            assert_eq!(&locked["version"], version, "{page}: {name}");
            packages += 1;
        }
    }
    assert!(packages >= 18, "{packages}");
}
