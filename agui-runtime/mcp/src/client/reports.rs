//! A server's progress and log messages about a call, on their way to the page.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::ProgressNotificationParam;
use tokio::sync::Notify;

use super::ended::ChatNumber;
use super::shortened::shortened;
use agui_runtime_core::__leaf::report_progress;
use agui_runtime_core::Emit;
use agui_runtime_core::protocol::ToolCallId;
use agui_runtime_core::tools::Progress;

/// The number of reports that wait for the page. Further reports take the newest one's place.
const MOST: usize = 16;

/// Pause after each report, so that a server cannot fill a stored thread.
const PAUSE: Duration = Duration::from_millis(50);

/// Longest text of a report, in characters.
const LONGEST: usize = 1_000;

/// A call's reports that the page has not seen.
#[derive(Debug, Default)]
pub(super) struct CallReports {
    /// True if the page gets the server's log messages.
    shows_logs: bool,
    /// The chat that made the call, if one chat alone has the tool.
    chat: Option<ChatNumber>,
    waiting: Mutex<WaitingReports>,
    news: Notify,
}

#[derive(Debug, Default)]
struct WaitingReports {
    reports: VecDeque<WaitingReport>,
    /// The newest amount and total: a log message has none.
    amount: f64,
    total: Option<f64>,
}

#[derive(Debug)]
struct WaitingReport {
    progress: Progress,
    /// The number of reports whose place this one has taken.
    left_out: usize,
}

impl CallReports {
    pub(super) fn new(shows_logs: bool, chat: Option<ChatNumber>) -> Self {
        Self { shows_logs, chat, ..Self::default() }
    }

    pub(super) fn shows_logs(&self) -> bool {
        self.shows_logs
    }

    pub(super) fn chat(&self) -> Option<ChatNumber> {
        self.chat
    }

    /// Adds progress (MCP, section "Progress").
    pub(super) fn progress(&self, params: &ProgressNotificationParam) {
        let mut waiting = self.locked();
        waiting.amount = params.progress;
        waiting.total = params.total;
        self.add(waiting, params.message.as_deref().map(|text| shortened(text, LONGEST)));
    }

    /// Adds a log message (MCP, section "Logging"), which is a text at the newest amount.
    pub(super) fn log(&self, level: &str, text: &str) {
        let text = match level {
            "info" | "notice" => shortened(text, LONGEST),
            level => shortened(&format!("{level}: {text}"), LONGEST),
        };
        self.add(self.locked(), Some(text));
    }

    fn add(&self, mut waiting: MutexGuard<'_, WaitingReports>, message: Option<String>) {
        let mut progress = Progress::new(waiting.amount);
        progress.total = waiting.total;
        progress.message = message;
        let mut left_out = 0;
        if waiting.reports.len() >= MOST
            && let Some(newest) = waiting.reports.pop_back()
        {
            left_out = newest.left_out + 1;
        }
        waiting.reports.push_back(WaitingReport { progress, left_out });
        drop(waiting);
        self.news.notify_one();
    }

    fn locked(&self) -> MutexGuard<'_, WaitingReports> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn oldest(&self) -> Option<Progress> {
        self.locked().reports.front().map(WaitingReport::shown)
    }

    /// Sends the oldest report, which waits until it is sent; false if there is none.
    async fn send_one(&self, emit: &Emit, call: &ToolCallId) -> bool {
        let Some(progress) = self.oldest() else { return false };
        report_progress(emit, call, progress).await;
        self.locked().reports.pop_front();
        true
    }

    /// Sends reports to the page as they come, with pauses.
    pub(super) async fn forward(&self, emit: &Emit, call: &ToolCallId) -> Infallible {
        loop {
            if self.send_one(emit, call).await {
                tokio::time::sleep(PAUSE).await;
            } else {
                self.news.notified().await;
            }
        }
    }

    /// Sends the reports that wait when a call ends, and none that come meanwhile: a call whose server asks the user stays open, and
    /// its server may report without end.
    pub(super) async fn flush(&self, emit: &Emit, call: &ToolCallId) {
        for progress in self.last() {
            report_progress(emit, call, progress).await;
        }
    }

    /// Takes the reports that wait.
    fn last(&self) -> impl Iterator<Item = Progress> + use<> {
        let waiting = mem::take(&mut self.locked().reports);
        waiting.into_iter().map(|report| report.shown())
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> Vec<Progress> {
        self.locked().reports.iter().map(WaitingReport::shown).collect()
    }
}

impl WaitingReport {
    /// Returns the report for the page, which says how many reports the page does not see.
    fn shown(&self) -> Progress {
        let progress = self.progress.clone();
        match (self.left_out, &self.progress.message) {
            (0, _) => progress,
            (count, None) => progress.message(format!("({count} earlier reports were left out.)")),
            (count, Some(text)) => {
                progress.message(format!("{text} ({count} earlier reports were left out.)"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{NumberOrString, ProgressToken};

    use super::*;

    fn reported(reports: &CallReports, progress: f64, message: Option<&str>) {
        let token = ProgressToken(NumberOrString::Number(1));
        let mut params = ProgressNotificationParam::new(token, progress);
        params.message = message.map(str::to_owned);
        reports.progress(&params);
    }

    #[test]
    fn a_log_message_stands_at_the_newest_amount() {
        let reports = CallReports::default();
        reports.log("info", "begins");
        reported(&reports, 2.0, Some("half"));
        reports.log("warning", "it is hot");
        assert_eq!(
            reports.waiting(),
            [
                Progress::new(0.0).message("begins"),
                Progress::new(2.0).message("half"),
                Progress::new(2.0).message("warning: it is hot"),
            ]
        );
    }

    #[test]
    fn few_reports_wait_and_the_newest_says_how_many_are_missing() {
        let reports = CallReports::default();
        for at in 0..1_000_u32 {
            reported(&reports, f64::from(at), None);
        }
        let waiting = reports.waiting();
        assert_eq!(waiting.len(), MOST);
        let newest = waiting.last().unwrap();
        assert_eq!((newest.progress, waiting[0].progress), (999.0, 0.0));
        assert_eq!(newest.message.as_deref(), Some("(984 earlier reports were left out.)"));
    }

    #[test]
    fn reports_that_come_while_the_last_ones_are_sent_wait_for_the_next_run() {
        let reports = CallReports::default();
        for at in 0..1_000_u32 {
            reported(&reports, f64::from(at), None);
        }
        // The server reports again whenever one is sent.
        let sent = reports.last().inspect(|_| reported(&reports, 1_000.0, None)).take(1_000).count();
        assert_eq!((sent, reports.waiting().len()), (MOST, MOST));
    }

    #[test]
    fn a_long_text_is_shortened() {
        let reports = CallReports::default();
        reported(&reports, 1.0, Some(&"ö".repeat(100_000)));
        reports.log("error", &"x".repeat(100_000));
        for report in reports.waiting() {
            assert_eq!(report.message.unwrap().chars().count(), LONGEST + 1);
        }
    }
}
