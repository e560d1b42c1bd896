//! The servers of the agents, each with its threads in SQLite, and the pages before them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use agui_tests::outside::{
    AssistantUi, CargoFolder, CopilotKit, ExampleServer, Generation, Pages, built, empty, generated,
    runner_of_readme, target_dir, workspace_dir, write_manifest,
};
use serde_json::json;

use crate::place::Place;
use crate::project::folder_without;

const LIMIT: Duration = Duration::from_secs(60);

/// The address of the agent in the page of a new project.
const ADDRESS: &str = "\"http://127.0.0.1:8000/\"";

/// A page, with the server that its network leads to.
pub struct Row<'a> {
    pub name: &'static str,
    /// Its description in `shown-pages.mjs`.
    pub description: &'static str,
    pub server: &'a str,
    /// The address of the page, if it does not come from that server.
    pub page: Option<String>,
    /// The server that stores the threads.
    pub store: &'a str,
    /// The path of the agent there.
    pub path: &'static str,
}

pub struct Servers {
    pub place: Place,
    recipe: ExampleServer,
    desk: ExampleServer,
    tasks: ExampleServer,
    copilotkit: [ExampleServer; 2],
    assistant_ui: [ExampleServer; 2],
    plain: String,
    react: String,
}

impl Servers {
    pub fn start(copilotkit: &CopilotKit, assistant_ui: &AssistantUi, pages: &Pages) -> Self {
        let place = Place::start();
        let folder = empty("pages");
        let start = |name: &str, program: PathBuf| {
            let here = folder.join(name);
            fs::create_dir_all(&here).unwrap();
            let mut command = Command::new(program);
            command.current_dir(&here).env("TMPDIR", &here).env("AGUI_MODEL", place.model());
            ExampleServer::spawn(name, command, LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
        };
        let recipe = start("recipe", built("recipe"));
        let projects = Projects::build();
        let [desk_program, tasks_program] =
            ["pages-desk", "pages-plain"].map(|name| target_dir().join("debug").join(name));
        let desk = start("desk", desk_program.clone());
        let tasks = start("tasks", tasks_program.clone());
        let generated = generated(&desk_program, &folder);
        let [runner, _] = runner_of_readme();
        let file = folder.join("runner.ts");
        fs::write(&file, runner).unwrap();
        let agents = [("desk".to_owned(), json!({ "url": format!("{}/", desk.url()) }))];
        // A bundle needs one processor.
        let (plain, react, copilotkit, assistant_ui) = thread::scope(|scope| {
            let plain = scope.spawn(|| projects.page("pages-plain", &[], &tasks_program, pages));
            let react =
                scope.spawn(|| projects.page("pages-react", &["--react", "plain"], &tasks_program, pages));
            let page = json!({ "page": "desk.jsx", "generated": generated });
            let with_runner = json!({ "page": "desk.jsx", "generated": generated, "runner": file });
            let runtimes =
                [page, with_runner].map(|job| scope.spawn(|| copilotkit.serve_with(agents.clone(), job)));
            let assistant_ui =
                Generation::ALL.map(|generation| scope.spawn(move || assistant_ui.serve_page(generation)));
            let [plain, react] = [plain, react].map(|page| page.join().unwrap());
            (
                plain,
                react,
                runtimes.map(|server| server.join().unwrap()),
                assistant_ui.map(|server| server.join().unwrap()),
            )
        });
        let (plain, react) = (place.page("plain", plain), place.page("react", react));
        Self { place, recipe, desk, tasks, copilotkit, assistant_ui, plain, react }
    }

    pub fn rows(&self) -> Vec<Row<'_>> {
        let (recipe, desk, tasks) = (self.recipe.url(), self.desk.url(), self.tasks.url());
        let own =
            |name, server, path| Row { name, description: name, server, page: None, store: server, path };
        let before = |name, description, server, page: &str| {
            let page = Some(page.to_owned());
            Row { name, description, server, page, store: server, path: "/" }
        };
        let page = |server: &ExampleServer| format!("{}/", server.url());
        let [runtime, runner] = &self.copilotkit;
        let [current, legacy] = &self.assistant_ui;
        let through =
            |name, description, server| Row { name, description, server, page: None, store: desk, path: "/" };
        vec![
            own("recipe", recipe, "/cook"),
            own("desk", desk, "/"),
            before("template", "template", tasks, &self.plain),
            before("template-react", "template", tasks, &self.react),
            before("copilotkit-direct", "copilotkitDirect", desk, &page(runtime)),
            // CopilotKit's pages name an agent by its path.
            Row { path: "/desk", ..before("copilotkit-server", "copilotkitServer", desk, &page(runtime)) },
            through("copilotkit-runtime", "copilotkitRuntime", runtime.url()),
            through("copilotkit-runner", "copilotkitRunner", runner.url()),
            before("assistant-ui-legacy", "assistantUi", desk, &page(legacy)),
            before("assistant-ui-current", "assistantUi", desk, &page(current)),
        ]
    }
}

/// Programs that people write: a new project with each page, and the desk of the README with the line that stores its threads.
struct Projects {
    outside: CargoFolder,
    root: PathBuf,
}

impl Projects {
    fn build() -> Self {
        let outside = folder_without(&["pages"]);
        let root = outside.path.join("pages");
        fs::create_dir_all(&root).unwrap();
        for (name, page) in [("pages-plain", "--page"), ("pages-react", "--react")] {
            let folder = format!("pages/{name}");
            let arguments = ["new", &folder, "--path", "agui", page, "--threads"];
            let _ =
                outside.run(Command::new(built("agui-codegen")), &outside.path, &arguments).assert_success();
        }
        desk_with_threads(&root);
        let members = ["pages-desk", "pages-plain"];
        fs::write(root.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))
            .unwrap();
        // The versions the workspace was tested with.
        fs::copy(workspace_dir().join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        let _ = outside.cargo(&root, &["build", "--quiet"]).assert_success();
        Self { outside, root }
    }

    /// Builds the page of a project, whose agent is the one that its address names, and returns its folder.
    fn page(&self, name: &str, options: &[&str], program: &Path, pages: &Pages) -> PathBuf {
        let project = self.root.join(name);
        let manifest = project.join("agui.manifest.json");
        write_manifest(program, &manifest);
        let arguments =
            [&["generate", "--manifest", manifest.to_str().unwrap(), "--ts", "web/src/agui"], options]
                .concat();
        let _ = self.outside.run(Command::new(built("agui-codegen")), &project, &arguments).assert_success();
        let web = project.join("web");
        let script =
            ["src/main.ts", "src/main.tsx"].map(|path| web.join(path)).into_iter().find(|path| path.exists());
        let script = script.expect("a page has a script");
        let text = fs::read_to_string(&script).unwrap();
        assert!(text.contains(ADDRESS), "{}: no address of the agent", script.display());
        fs::write(&script, text.replace(ADDRESS, "new URLSearchParams(location.search).get(\"url\")!"))
            .unwrap();
        pages.install(&web);
        let _ = pages.npm(&web, &["run", "build"]).assert_success();
        web
    }
}

/// Copies the desk of the README, with its threads in SQLite, and a second time at the path that has its name.
fn desk_with_threads(root: &Path) {
    let folder = root.join("pages-desk");
    for (from, to) in
        [("examples/desk/src", "src"), ("examples/desk/web", "web"), ("examples/desk/web/dist", "web/dist")]
    {
        fs::create_dir_all(folder.join(to)).unwrap();
        for entry in fs::read_dir(workspace_dir().join(from)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, folder.join(to).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let replace = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "no `{from}` in {text}");
        text.replace(from, to)
    };
    let main = fs::read_to_string(folder.join("src/main.rs")).unwrap();
    let stored = "Server::new().threads(agui_runtime::thread::Sqlite::open(\"threads.db\")?)";
    let main = replace(&main, "Server::new()", stored);
    let [agent, model] = [".agent(\"/\", Desk::new(model, Shop::open()))", "model"];
    let named = agent.replace("\"/\"", "\"/desk\"").replace(model, "model.clone()");
    fs::write(folder.join("src/main.rs"), replace(&main, agent, &format!("{named}{agent}"))).unwrap();
    // The dependencies that the README shows, and the engine of threads.
    let package = fs::read_to_string(workspace_dir().join("tests/tests/project/Cargo.toml")).unwrap();
    let package = replace(&package, "\n[workspace]\n", "\n");
    let package = replace(&package, "name = \"project\"", "name = \"pages-desk\"");
    let package = replace(&package, "../agui/", "../../agui/");
    let package = replace(&package, "[\"providers\"]", "[\"providers\", \"sqlite\"]");
    fs::write(folder.join("Cargo.toml"), package).unwrap();
}
