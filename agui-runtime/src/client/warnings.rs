//! Where warnings go.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::Event;
use crate::quoted::quoted;
use crate::receive::{Applied, Warning, What};

/// Where a session's warnings go: the function of [`Session::with_warnings`](super::Session::with_warnings), or `tracing`.
///
/// A middleware that reads events has it from [`Next::warnings`](super::Next::warnings), so that whoever listens to a session hears of
/// everything, whichever layer noticed it. Clones tell the same listener.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use agui_runtime::client::Warnings;
/// use agui_runtime::receive::Intake;
///
/// let heard = Arc::new(Mutex::new(Vec::new()));
/// let kept = Arc::clone(&heard);
/// let warnings = Warnings::new(move |warning| kept.lock().unwrap().push(warning.path().to_owned()));
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// Intake::new().text(step, &mut |warning| warnings.tell(warning))?;
/// assert_eq!(*heard.lock().unwrap(), ["/mood"]);
/// # Ok::<(), agui_runtime::receive::Rejected>(())
/// ```
#[derive(Clone)]
pub struct Warnings {
    listener: Arc<Mutex<dyn FnMut(Warning) + Send>>,
}

impl Warnings {
    /// To a function. It is asked by one at a time, and must not tell of warnings itself.
    pub fn new(listener: impl FnMut(Warning) + Send + 'static) -> Self {
        Self { listener: Arc::new(Mutex::new(listener)) }
    }

    /// Tells of one.
    pub fn tell(&self, warning: Warning) {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        listener(warning);
    }

    /// Tells of what is odd about an event that has taken effect.
    pub(super) fn tell_of(&self, event: &Event, applied: &Applied) {
        if let Some(odd) = &applied.warning {
            self.tell(Warning::new(event.event_type().as_str(), "", What::LessEffect(odd.clone())));
        }
    }
}

/// To `tracing`.
impl Default for Warnings {
    fn default() -> Self {
        Self::new(|warning| tracing::warn!(warning = %quoted(warning), "what comes is not all AG-UI 1.0"))
    }
}

impl fmt::Debug for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warnings").finish_non_exhaustive()
    }
}
