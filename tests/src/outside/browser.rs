//! A real browser, driven by scripts in `tests/node/browser`.

use std::{path::PathBuf, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Missing, Node, artefact, finish, program::Program};

const CHROMIUM: Program = Program {
    name: "chromium",
    variable: "AGUI_CHROMIUM",
    at_least: (120, 0),
    how_to_get_it: "install Chromium (chromium on Debian)",
};

/// The script gives up first and says why; this is for the case that it cannot.
const CONVERSATION_LIMIT: Duration = Duration::from_secs(60);
const PROCESS_LIMIT: Duration = Duration::from_secs(180);

/// Debian's Chromium, headless, with a new profile for each conversation.
#[derive(Debug, Clone)]
pub struct Chromium {
    node: Node,
    program: PathBuf,
}

/// What a browser script says at its end.
#[derive(Debug, Deserialize)]
pub struct BrowserReport {
    /// The script came to its end and the page never complained.
    pub ok: bool,
    /// What the script returned.
    #[serde(default)]
    pub value: Value,
    /// Why the script did not come to its end.
    pub failure: Option<String>,
    /// What the page complained about, in order.
    pub trouble: Vec<Trouble>,
    /// Where the last picture of the page is.
    pub screenshot: Option<PathBuf>,
}

/// One thing a page complained about: its console, an exception, a request that went wrong.
#[derive(Debug, Deserialize)]
pub struct Trouble {
    /// `console.error`, `console.warning`, `exception`, `request` or `response`; `missing` for what the script
    /// expected in vain.
    pub kind: String,
    /// What and where.
    pub text: String,
}

impl Chromium {
    /// Finds Chromium, and Node to drive it with.
    ///
    /// # Errors
    /// [`Missing`] where Chromium or Node is not on the machine; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        let (program, _) = CHROMIUM.find()?;
        Ok(Self { node: Node::ready()?, program })
    }

    /// Opens `url` and runs a script of `tests/node/browser` on it. `job` is an object of what else the script
    /// wants to know. The page's last picture is kept as the artefact `<name>.png`.
    #[must_use]
    pub fn browse(&self, name: &str, script: &str, url: &str, job: &Value) -> BrowserReport {
        let mut job = job.as_object().cloned().unwrap_or_default();
        job.insert("url".to_owned(), json!(url));
        job.insert("screenshot".to_owned(), json!(artefact(&format!("{name}.png"))));
        job.entry("timeoutMs").or_insert(json!(CONVERSATION_LIMIT.as_millis() as u64));
        let mut command = self.node.command(PathBuf::from("browser").join(script));
        command.env("AGUI_CHROMIUM", &self.program);
        finish(command, &Value::Object(job).to_string(), PROCESS_LIMIT).json()
    }
}

impl BrowserReport {
    /// Fails the test, saying everything, unless the script came to its end on a page that never complained.
    pub fn assert_ok(&self) {
        assert!(self.ok, "the browser conversation went wrong: {self:#?}");
    }
}
