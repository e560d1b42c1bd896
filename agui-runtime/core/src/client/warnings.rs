//! The listener for warnings.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::Event;
use crate::quoted::quoted;
use crate::receive::{FrameWarning, ReducerUpdate, WarningKind};

/// A session's warning listener: the [`Session::with_warnings`](super::Session::with_warnings) function, or `tracing`.
///
/// A middleware that reads events gets the listener from [`Next::warnings`](super::Next::warnings), so that warnings from every
/// layer arrive at one place. Clones share the listener. A declaration of a newer protocol, which each run of such an agent has, is
/// reported once.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use agui_runtime::client::Warnings;
/// use agui_runtime::receive::FrameIntake;
///
/// let paths = Arc::new(Mutex::new(Vec::new()));
/// let kept = Arc::clone(&paths);
/// let warnings = Warnings::new(move |warning| kept.lock().unwrap().push(warning.path().to_owned()));
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// FrameIntake::new().text(step, &mut |warning| warnings.report(warning))?;
/// assert_eq!(*paths.lock().unwrap(), ["/mood"]);
/// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
/// ```
#[derive(Clone)]
pub struct Warnings {
    listener: Arc<Mutex<DynListener>>,
}

type DynListener = Listener<dyn FnMut(FrameWarning) + Send>;

struct Listener<F: ?Sized> {
    /// The last report about the version that the agent declares.
    declared: Option<WarningKind>,
    report: F,
}

impl Warnings {
    /// Creates a listener from a function. It is called by one thread at a time, and must not report
    /// warnings itself.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use agui_runtime::client::Warnings;
    /// use agui_runtime::receive::FrameIntake;
    ///
    /// let (tell, told) = mpsc::channel();
    /// let warnings = Warnings::new(move |warning| drop(tell.send(warning)));
    /// FrameIntake::new().text(r#"{"type":"META"}"#, &mut |warning| warnings.report(warning))?;
    /// assert_eq!(told.try_iter().count(), 1);
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    pub fn new(listener: impl FnMut(FrameWarning) + Send + 'static) -> Self {
        Self { listener: Arc::new(Mutex::new(Listener { declared: None, report: listener })) }
    }

    /// Reports a warning.
    ///
    /// ```
    /// use agui_runtime::client::Warnings;
    /// use agui_runtime::receive::FrameIntake;
    ///
    /// let warnings = Warnings::default();
    /// FrameIntake::new().text(r#"{"type":"META"}"#, &mut |warning| warnings.report(warning))?;
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    pub fn report(&self, warning: FrameWarning) {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let kind @ (WarningKind::NewerProtocol { .. } | WarningKind::UnreadableProtocol { .. }) =
            warning.kind()
        {
            if listener.declared.as_ref() == Some(kind) {
                return;
            }
            listener.declared = Some(kind.clone());
        }
        (listener.report)(warning);
    }

    /// Reports the warning about an event that took effect.
    pub(super) fn report_of(&self, event: &Event, applied: &ReducerUpdate) {
        if let Some(odd) = &applied.warning {
            self.report(FrameWarning::new(
                event.event_type().as_str(),
                "",
                WarningKind::LessEffect(odd.clone()),
            ));
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
