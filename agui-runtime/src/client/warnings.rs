//! The listener for warnings.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::Event;
use crate::quoted::quoted;
use crate::receive::{Applied, Warning, WarningKind};

/// A session's warning listener: the [`Session::with_warnings`](super::Session::with_warnings) function, or `tracing`.
///
/// A middleware that reads events gets the listener from [`Next::warnings`](super::Next::warnings), so that warnings from every
/// layer arrive at one place. Clones share the listener.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use agui_runtime::client::Warnings;
/// use agui_runtime::receive::Intake;
///
/// let paths = Arc::new(Mutex::new(Vec::new()));
/// let kept = Arc::clone(&paths);
/// let warnings = Warnings::new(move |warning| kept.lock().unwrap().push(warning.path().to_owned()));
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// Intake::new().text(step, &mut |warning| warnings.report(warning))?;
/// assert_eq!(*paths.lock().unwrap(), ["/mood"]);
/// # Ok::<(), agui_runtime::receive::Rejected>(())
/// ```
#[derive(Clone)]
pub struct Warnings {
    listener: Arc<Mutex<dyn FnMut(Warning) + Send>>,
}

impl Warnings {
    /// Creates a listener from a function, which is called by one thread at a time and must not report warnings.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use agui_runtime::client::Warnings;
    /// use agui_runtime::receive::Intake;
    ///
    /// let (tell, told) = mpsc::channel();
    /// let warnings = Warnings::new(move |warning| drop(tell.send(warning)));
    /// Intake::new().text(r#"{"type":"META"}"#, &mut |warning| warnings.report(warning))?;
    /// assert_eq!(told.try_iter().count(), 1);
    /// # Ok::<(), agui_runtime::receive::Rejected>(())
    /// ```
    pub fn new(listener: impl FnMut(Warning) + Send + 'static) -> Self {
        Self { listener: Arc::new(Mutex::new(listener)) }
    }

    /// Reports a warning.
    pub fn report(&self, warning: Warning) {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        listener(warning);
    }

    /// Reports the warning about an event that took effect.
    pub(super) fn report_of(&self, event: &Event, applied: &Applied) {
        if let Some(odd) = &applied.warning {
            self.report(Warning::new(event.event_type().as_str(), "", WarningKind::LessEffect(odd.clone())));
        }
    }
}

/// Logs warnings with `tracing`.
impl Default for Warnings {
    fn default() -> Self {
        Self::new(
            |warning| tracing::warn!(warning = %quoted(warning), "the stream contains material that is not AG-UI 1.0"),
        )
    }
}

impl fmt::Debug for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warnings").finish_non_exhaustive()
    }
}
