//! A real browser, driven by scripts in `tests/node/browser`.

use std::{path::PathBuf, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use agui_programs::Program;

use super::{Finished, Missing, Node, artefact, finish};

const CHROMIUM: Program = Program {
    name: "chromium",
    variable: "AGUI_CHROMIUM",
    at_least: (120, 0),
    how_to_get_it: "install Chromium (chromium on Debian)",
};

/// The script gives up earlier with a reason; this limit is for a script that hangs.
const CONVERSATION_LIMIT: Duration = Duration::from_secs(240);
const PROCESS_LIMIT: Duration = Duration::from_secs(600);

/// The number of pages at once: most of them wait.
const TOGETHER: usize = 6;

/// Debian's Chromium, headless, with a new profile for each conversation.
#[derive(Debug, Clone)]
pub struct Chromium {
    node: Node,
    program: PathBuf,
}

/// The report of a browser script.
#[derive(Debug, Deserialize)]
pub struct BrowserReport {
    /// True if the script ended and the page logged no problem.
    pub ok: bool,
    /// The return value of the script.
    #[serde(default)]
    pub value: Value,
    /// The reason why the script did not end.
    pub failure: Option<String>,
    /// The problems that the page reported, in order.
    pub trouble: Vec<Trouble>,
    /// The last picture of the page.
    pub screenshot: Option<PathBuf>,
}

/// A problem of a page: on its console, an exception, a failed request.
#[derive(Debug, Deserialize)]
pub struct Trouble {
    /// `console.error`, `console.warning`, `exception`, `request` or `response`; `missing` for something that the
    /// script expected in vain.
    pub kind: String,
    /// The problem and its place.
    pub text: String,
}

impl Chromium {
    /// Finds Chromium, and Node to drive it with.
    ///
    /// # Errors
    /// [`Missing`] if Chromium or Node is not on the machine; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        let (program, _) = CHROMIUM.find()?;
        Ok(Self { node: Node::ready()?, program })
    }

    /// Opens `url` and runs a script of `tests/node/browser` on it. `job` is an object with the script's other
    /// arguments. The page's last picture is kept as the artefact `<name>.png`.
    #[must_use]
    pub fn browse(&self, name: &str, script: &str, url: &str, job: &Value) -> BrowserReport {
        self.run(script, &whole(name, url, job), PROCESS_LIMIT).json()
    }

    /// Runs a script on several pages of one browser, one after the other: a start of the browser takes longer than most
    /// scripts. Each page has its name, its address and its job, and a report of its own. `hosts` are the browser's rules by
    /// which names are resolved.
    #[must_use]
    pub fn browse_each(
        &self,
        script: &str,
        hosts: &str,
        pages: &[(&str, String, Value)],
    ) -> Vec<BrowserReport> {
        let jobs: Vec<_> = pages.iter().map(|(name, url, job)| whole(name, url, job)).collect();
        let reports: Vec<_> =
            self.run(script, &json!({ "hosts": hosts, "jobs": jobs }), PROCESS_LIMIT).json();
        assert_eq!(reports.len(), pages.len(), "a report for each page");
        reports
    }

    /// Runs a script on several pages of one browser, some at once: each page has a profile of its own, and a report. All of
    /// them end within `limit`.
    #[must_use]
    pub fn browse_together(
        &self,
        script: &str,
        pages: &[(String, String, Value)],
        limit: Duration,
    ) -> Vec<BrowserReport> {
        let jobs: Vec<_> = pages.iter().map(|(name, url, job)| whole(name, url, job)).collect();
        let reports: Vec<_> = self.run(script, &json!({ "jobs": jobs, "together": TOGETHER }), limit).json();
        assert_eq!(reports.len(), pages.len(), "a report for each page");
        reports
    }

    fn run(&self, script: &str, asked: &Value, limit: Duration) -> Finished {
        let mut command = self.node.command(PathBuf::from("browser").join(script));
        command.env("AGUI_CHROMIUM", &self.program);
        finish(command, &asked.to_string(), limit)
    }
}

/// A job with all that the driver needs of a page.
fn whole(name: &str, url: &str, job: &Value) -> Value {
    let mut job = job.as_object().cloned().unwrap_or_default();
    job.insert("url".to_owned(), json!(url));
    job.insert("screenshot".to_owned(), json!(artefact(&format!("{name}.png"))));
    job.entry("timeoutMs").or_insert(json!(CONVERSATION_LIMIT.as_millis() as u64));
    Value::Object(job)
}

impl BrowserReport {
    /// Fails the test, with the whole report, unless the script ended on a page without problems.
    pub fn assert_ok(&self) {
        assert!(self.ok, "the browser conversation went wrong: {self:#?}");
    }
}
