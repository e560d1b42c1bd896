//! The steps at the start and after each change.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use super::agent::{AgentPlace, AgentStart};
use super::build::{self, BuildOutcome};
use super::inspector::DevInspector;
use super::page::{DevPage, PageStart};
use super::process_groups::ProcessGroups;
use super::{DevError, port, screen};
use crate::arguments::{DevArguments, ManifestSource, TIMEOUT};
use crate::config::{CodegenConfig, FILE};
use crate::extract::CargoWorkspace;
use crate::job::{JobError, single_package, with_config};
use crate::watch::{FileWatcher, TICK};

/// The agent, its page and its inspector.
pub(super) struct DevSession {
    groups: ProcessGroups,
    /// This program, as it was found at the start: an update may replace the file meanwhile.
    program: PathBuf,
    options: ManifestSource,
    agent: AgentPlace,
    page: Option<DevPage>,
    inspector: DevInspector,
    watcher: FileWatcher,
    /// True if the screen was shown.
    is_shown: bool,
}

impl DevSession {
    /// Finds the project and free addresses.
    pub(super) fn prepare(options: &DevArguments, groups: ProcessGroups) -> Result<Self, DevError> {
        if let Some(path) = options.at.iter().find(|path| !path.starts_with('/')) {
            return Err(DevError::Path(path.clone()));
        }
        let program = std::env::current_exe();
        let program =
            program.map_err(|source| DevError::Start { program: "agui-codegen".to_owned(), source })?;
        let source = ManifestSource {
            package: options.package.iter().cloned().collect(),
            bin: options.bin.clone(),
            build: options.build.clone(),
            timeout: TIMEOUT,
            ..ManifestSource::default()
        };
        let workspace = CargoWorkspace::load(&source)?;
        let package = single_package(&workspace, &source)?;
        let config = CodegenConfig::read(&package.folder).map_err(JobError::from)?.unwrap_or_default();
        let _ = package.server(with_config(&source, &config).bin.as_deref())?;
        let page = if options.no_page { None } else { DevPage::find(&package.folder, &config) };
        let agent = AgentPlace::new(port::of_agent()?, &package.folder);
        let inspector = DevInspector::start(agent.address, &options.at)?;
        let watcher = FileWatcher::new(workspace.folders.clone());
        Ok(Self { groups, program, options: source, agent, page, inspector, watcher, is_shown: false })
    }

    /// Builds, and again after each change, forever.
    pub(super) fn run(&mut self) -> Result<Infallible, DevError> {
        loop {
            self.watcher.begin();
            let made_of = match self.round() {
                Ok(made_of) => made_of,
                // The project can be repaired, for instance its Cargo.toml.
                Err(error @ DevError::Project(_)) if self.is_shown => {
                    screen::line(&format!("error: {error}"));
                    None
                }
                Err(error) => return Err(error),
            };
            self.watcher.finish(made_of);
            let changed = self.next_change()?;
            self.watcher.settle();
            screen::progress(&format!("{} has changed", changed.display()));
        }
    }

    /// Waits for a change, and reports what ends meanwhile.
    fn next_change(&mut self) -> Result<PathBuf, DevError> {
        loop {
            if let Some(changed) = self.watcher.changed() {
                return Ok(changed);
            }
            if let Some(status) = self.agent.crashed()? {
                screen::line(&format!("the agent ended: {status}; the next change starts it again"));
            }
            if let Some(page) = &mut self.page
                && page.ended()?
            {
                screen::line("the page's server ended; the next change starts it again");
            }
            thread::sleep(TICK);
        }
    }

    /// Builds once; returns the files that the program is built from, if it was built.
    fn round(&mut self) -> Result<Option<BTreeSet<PathBuf>>, DevError> {
        let start = Instant::now();
        let workspace = CargoWorkspace::load(&self.options)?;
        let package = single_package(&workspace, &self.options)?;
        let config = CodegenConfig::read(&package.folder).map_err(JobError::from)?;
        let source = with_config(&self.options, &config.clone().unwrap_or_default());
        let binary = package.server(source.bin.as_deref())?;
        if self.is_shown {
            screen::progress(&format!("building {binary}"));
        } else {
            screen::line(&format!("building {binary}"));
        }
        let (executable, made_of) = match build::build(&self.groups, &workspace, package, binary, &source)? {
            BuildOutcome::Built { executable, made_of } => (executable, made_of),
            BuildOutcome::Failed { first, others } => {
                self.complain(&first, others);
                return Ok(None);
            }
        };
        let is_generated = match &config {
            Some(_) => self.generate(&package.name, &source)?,
            None => true,
        };
        self.restart(&executable, &package.name, start, is_generated)?;
        Ok(made_of)
    }

    /// Prints the first error of a build.
    fn complain(&self, first: &str, others: usize) {
        screen::foreign(first);
        let others = match others {
            0 => String::new(),
            1 => "1 more error; ".to_owned(),
            others => format!("{others} more errors; "),
        };
        let agent = if self.agent.is_running() { "the old agent still runs; " } else { "" };
        screen::line(&format!("{others}{agent}waiting for a change"));
    }

    /// Writes the clients of the package; prints the changed files. Returns false after an error.
    ///
    /// A process of its own, so that a signal ends the programs that it starts.
    fn generate(&self, package: &str, source: &ManifestSource) -> Result<bool, DevError> {
        let mut command = Command::new(&self.program);
        command.args(["generate", "--package", package]);
        self.add_build_options(&mut command, source);
        // Cargo has reported this build already.
        command.env("CARGO_TERM_QUIET", "true");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut generator = self.groups.spawn(command)?;
        let stderr = generator.stderr.take();
        let complaints = thread::spawn(move || read(stderr));
        let written = read(generator.stdout.take());
        let status = generator.wait()?;
        for line in written.lines().filter(|line| self.is_shown && !line.ends_with(" is up to date")) {
            screen::line(line);
        }
        let complaints = complaints.join().unwrap_or_default();
        if !complaints.trim().is_empty() {
            screen::foreign(complaints.trim_end());
        }
        if !status.success() {
            screen::line(&format!("the clients are those of before; see `{FILE}` and the error above"));
        }
        Ok(status.success())
    }

    fn add_build_options(&self, command: &mut Command, source: &ManifestSource) {
        source.build.add_package_options(command);
        for (option, value) in [
            ("--bin", &self.options.bin),
            ("--profile", &source.build.profile),
            ("--target", &source.build.target),
        ] {
            if let Some(value) = value {
                command.args([option, value]);
            }
        }
        if source.build.offline {
            command.arg("--offline");
        }
        if let Some(path) = &source.build.manifest_path {
            command.arg("--manifest-path").arg(path);
        }
    }

    /// Puts the new agent in the place of the old one.
    fn restart(
        &mut self,
        executable: &Path,
        package: &str,
        start: Instant,
        is_generated: bool,
    ) -> Result<(), DevError> {
        let started = self.agent.start(&self.groups, executable)?;
        let url = screen::url(self.agent.address);
        match started {
            AgentStart::Ended(status) => {
                screen::line(&format!("the agent ended: {status}; waiting for a change"));
                return Ok(());
            }
            AgentStart::Deaf => screen::line(&format!(
                "the agent runs, and does not listen at {url}: `Server::serve` reads the address in AGUI_ADDR"
            )),
            AgentStart::Listening => {}
        }
        if !self.is_shown {
            return self.show(package, start, is_generated);
        }
        screen::line(&format!("restarted in {:.1?}", start.elapsed()));
        if is_generated && let Some((page, true)) = self.start_page()? {
            screen::line(&format!("page {page}"));
        }
        Ok(())
    }

    /// Starts the page, and shows all addresses.
    fn show(&mut self, package: &str, start: Instant, is_generated: bool) -> Result<(), DevError> {
        let page = match (&self.page, is_generated) {
            (Some(_), false) => Some("waits for its client".to_owned()),
            _ => self.start_page()?.map(|(page, _)| page),
        };
        let mut text = format!("\n  {package} is ready in {:.1?}\n\n", start.elapsed());
        text.push_str(&format!("  agent      {}\n", screen::url(self.agent.address)));
        text.extend(page.map(|page| format!("  page       {page}\n")));
        text.push_str(&format!("  inspector  {}\n", self.inspector));
        text.push_str("\n  Each change builds and restarts the agent. Ctrl-C ends all of it.\n");
        screen::line(&text);
        self.is_shown = true;
        Ok(())
    }

    /// Starts the page's server unless it runs; returns its address, or the reason why there is none, and true if it was started.
    fn start_page(&mut self) -> Result<Option<(String, bool)>, DevError> {
        let Some(page) = self.page.as_mut().filter(|page| !page.is_running()) else { return Ok(None) };
        Ok(Some(match page.start(&self.groups, self.agent.address)? {
            PageStart::At(address) => (screen::url(address), true),
            PageStart::Elsewhere => ("as its server prints".to_owned(), true),
            PageStart::Missing(reason) => (reason, false),
        }))
    }
}

/// Returns all that a process prints.
fn read(output: Option<impl std::io::Read>) -> String {
    let mut text = Vec::new();
    // An error here hides only output; the status says whether the process has failed.
    let _ = output.map(|mut output| output.read_to_end(&mut text));
    String::from_utf8_lossy(&text).into_owned()
}
