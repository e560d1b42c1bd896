//! Changes printed as text, as JSON, and as GitHub workflow annotations.

use std::fmt;

use serde_json::{Value, json};

use super::{ChangeSeverity, ContractLevel, ManifestChange};
use crate::hidden::one_line;
use crate::ir::ValueDirection;

/// The output format for changes.
///
/// ```
/// use agui_codegen::{ReportFormat, report};
///
/// assert_eq!(report(&[], ReportFormat::Text, "agui.json"), "compatible\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// One line for each change, for people.
    Text,
    /// One JSON object, for programs.
    Json,
    /// Workflow commands that GitHub shows beside the change.
    Github,
}

impl ChangeSeverity {
    fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Warning => "warning",
        }
    }
}

impl ContractLevel {
    fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Source => "source",
        }
    }
}

impl ManifestChange {
    /// Returns the value's direction: `out`, `in`, or none.
    fn way(&self) -> Option<&'static str> {
        self.direction.map(|direction| match direction {
            ValueDirection::Out => "out",
            ValueDirection::In => "in",
        })
    }

    fn sentence(&self) -> String {
        let way = self.way().map(|way| format!("{}: ", way.to_uppercase()));
        let place = if self.place.is_empty() { "the agent" } else { &self.place };
        let path = if self.path.is_empty() { String::new() } else { format!(" {}", self.path) };
        let colon = if self.path.is_empty() { "" } else { ":" };
        format!("{}{place}{path}{colon} {}", way.unwrap_or_default(), self.message)
    }
}

impl fmt::Display for ManifestChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, level, agent, .. } = self;
        let line = format!("{} ({}) {agent}: {}", severity.name(), level.name(), self.sentence());
        f.write_str(&one_line(&line))
    }
}

/// Prints `changes` in the given format, with a final line feed. GitHub shows the changes at `file`.
///
/// ```
/// use agui_codegen::{DiffOptions, ReportFormat, diff, report};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef")])?;
///
/// // The new manifest has no `waiter`.
/// let changes = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(
///     report(&changes, ReportFormat::Github, "agui.json"),
///     "::error file=agui.json,title=breaking for wire of agent waiter::the agent no longer exists\n\
///      1 breaking change\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn report(changes: &[ManifestChange], format: ReportFormat, file: &str) -> String {
    match format {
        ReportFormat::Text => {
            let lines: String = changes.iter().map(|change| format!("{change}\n")).collect();
            format!("{lines}{}\n", summary(changes))
        }
        ReportFormat::Json => {
            let list: Vec<Value> = changes.iter().map(object).collect();
            let breaking = count(changes, ChangeSeverity::Breaking);
            let whole = json!({"breaking": breaking, "warnings": changes.len() - breaking, "changes": list});
            format!("{whole:#}\n")
        }
        ReportFormat::Github => {
            let line = |change: &ManifestChange| {
                let command = if change.severity == ChangeSeverity::Breaking { "error" } else { "warning" };
                let title = format!(
                    "{} for {} of agent {}",
                    change.severity.name(),
                    change.level.name(),
                    change.agent
                );
                format!(
                    "::{command} file={},title={}::{}\n",
                    property(file),
                    property(&title),
                    data(&change.sentence())
                )
            };
            changes.iter().map(line).collect::<String>() + &format!("{}\n", summary(changes))
        }
    }
}

fn object(change: &ManifestChange) -> Value {
    json!({
        "severity": change.severity.name(),
        "level": change.level.name(),
        "agent": change.agent,
        "place": change.place,
        "direction": change.way(),
        "path": change.path,
        "message": change.message,
    })
}

fn count(changes: &[ManifestChange], severity: ChangeSeverity) -> usize {
    changes.iter().filter(|change| change.severity == severity).count()
}

fn summary(changes: &[ManifestChange]) -> String {
    let breaking = count(changes, ChangeSeverity::Breaking);
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (breaking, changes.len() - breaking) {
        (0, 0) => "compatible".into(),
        (0, warnings) => format!("compatible, with {}", plural(warnings, "warning")),
        (breaking, 0) => plural(breaking, "breaking change"),
        (breaking, warnings) => {
            format!("{}, {}", plural(breaking, "breaking change"), plural(warnings, "warning"))
        }
    }
}

/// Escapes text for a GitHub workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_printed_in_every_format() {
        let change = ManifestChange {
            severity: ChangeSeverity::Warning,
            level: ContractLevel::Wire,
            agent: "todo".into(),
            place: "the state".into(),
            direction: Some(ValueDirection::Out),
            path: "$.status".into(),
            message: "100 %\nnew".into(),
        };
        assert_eq!(
            report(std::slice::from_ref(&change), ReportFormat::Text, "m.json"),
            "warning (wire) todo: OUT: the state $.status: 100 %\\u000anew\ncompatible, with 1 warning\n"
        );
        assert_eq!(
            report(std::slice::from_ref(&change), ReportFormat::Github, "a,b.json"),
            "::warning file=a%2Cb.json,title=warning for wire of agent todo::OUT: the state $.status: 100 %25%0Anew\n\
             compatible, with 1 warning\n"
        );
        let json: Value = serde_json::from_str(&report(&[change], ReportFormat::Json, "")).unwrap();
        assert_eq!(json["warnings"], 1);
        assert_eq!(json["changes"][0]["direction"], "out");
        assert_eq!(report(&[], ReportFormat::Text, ""), "compatible\n");
    }
}
