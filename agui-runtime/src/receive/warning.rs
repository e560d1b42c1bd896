//! What a receiver changed, left out or made up.

use std::fmt;

use super::reduce::ReduceWarning;

/// Something in a frame that is not AG-UI 1.0 and was no reason to refuse it.
///
/// A frame without warnings was taken exactly as it came (AG-UI 1.0, section "Warnings": a loss must be said). Where warnings go
/// is the caller's choice: every stage takes a function for them.
///
/// ```
/// use agui_runtime::receive::{Intake, Warning, What};
///
/// let mut warnings: Vec<Warning> = Vec::new();
/// let mut warn = |warning| warnings.push(warning);
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// let event = Intake::new().text(step, &mut warn)?;
///
/// assert!(event.is_some());
/// assert_eq!((warnings[0].path(), warnings[0].what()), ("/mood", &What::Unknown));
/// assert_eq!(
///     warnings[0].to_string(),
///     "STEP_STARTED: `/mood` is left out: AG-UI 1.0 does not know it",
/// );
/// # Ok::<(), agui_runtime::receive::Rejected>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    event: Box<str>,
    path: Box<str>,
    what: What,
}

impl Warning {
    pub(crate) fn new(event: &str, path: impl Into<Box<str>>, what: What) -> Self {
        Self { event: event.into(), path: path.into(), what }
    }

    /// The type of the event it is about, as it came; empty for an input.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// Where in the event, as the official client writes places: `/` before each key and index, nothing escaped. Empty for the
    /// event as a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What happened there.
    #[must_use]
    pub fn what(&self) -> &What {
        &self.what
    }
}

/// What happened to a place of an event or an input.
///
/// ```
/// use agui_runtime::receive::{Warning, What};
///
/// /// Whether something of the frame is gone.
/// fn is_loss(warning: &Warning) -> bool {
///     matches!(warning.what(), What::UnknownEvent | What::Unknown | What::Lost | What::OnlyAnId)
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// The event is left out: this version does not know its type.
    UnknownEvent,
    /// A key, or a member of a union or list, is left out: this version does not know it.
    Unknown,
    /// A `null` that older versions wrote for "nothing" is read as absent.
    NullIsAbsent,
    /// A retired shape is read as what took its place.
    Retired {
        /// The name of what took its place.
        becomes: &'static str,
    },
    /// What a retired shape said there cannot be said any more, and is lost.
    Lost,
    /// The end or the middle of something came without its start, so an id was made up for it.
    InventedId {
        /// That id, which names nothing.
        id: String,
    },
    /// A retired part is left out: another part of the message says the same in the modern way.
    Repeated,
    /// A `binary` part names only an id, which no part of this version can say.
    OnlyAnId,
    /// The producer says it speaks a later version of the protocol.
    NewerProtocol {
        /// What it says.
        declared: String,
    },
    /// The producer says it speaks a version that is no version.
    UnreadableProtocol {
        /// What it says.
        declared: String,
    },
    /// The event is left out: the agent is older than subagents.
    BeforeSubagents,
    /// Parts are left out of an input: the agent reads text only.
    TextOnly {
        /// The types of the parts, in order.
        lost: Vec<&'static str>,
    },
    /// Half of a character, as JavaScript cuts them, is read as U+FFFD.
    HalfCharacter,
    /// The event is in order and has less effect than it could have.
    LessEffect(ReduceWarning),
    /// It is lost between two contracts: the other one, the [snake_case dialect](crate::wire::snake_case) or AG-UI, has no word for it.
    Untranslatable,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // That one names the event and the place itself.
        if let What::LessEffect(warning) = &self.what {
            return warning.fmt(f);
        }
        let about = if self.event.is_empty() { "input" } else { &self.event };
        write!(f, "{about}: ")?;
        if self.path.is_empty() {
            f.write_str("it")?;
        } else {
            write!(f, "`{}`", self.path)?;
        }
        match &self.what {
            What::UnknownEvent => f.write_str(" is dropped: AG-UI 1.0 does not know this type of event"),
            What::Unknown => f.write_str(" is left out: AG-UI 1.0 does not know it"),
            What::NullIsAbsent => f.write_str(" is `null`, as older versions wrote, and read as absent"),
            What::Retired { becomes } => write!(f, " is retired and read as {becomes}"),
            What::Lost => f.write_str(" is retired and lost: nothing in AG-UI 1.0 says it"),
            What::InventedId { id } => {
                write!(f, " has no start; `{id}` is made up as its id and names nothing")
            }
            What::Repeated => f.write_str(" says in a retired way what another part says, and is left out"),
            What::OnlyAnId => {
                f.write_str(" is a binary part with neither data nor URL, which AG-UI 1.0 cannot say")
            }
            What::NewerProtocol { declared } => {
                write!(f, " comes from a producer of the newer protocol {declared}")
            }
            What::UnreadableProtocol { declared } => {
                write!(f, " names a protocol version that cannot be read: `{declared}`")
            }
            What::BeforeSubagents => f.write_str(" is dropped: the agent is older than subagents"),
            What::TextOnly { lost } => {
                write!(f, " loses what is not text, which the agent cannot read: {}", lost.join(", "))
            }
            What::HalfCharacter => f.write_str(" holds half a character, read as U+FFFD"),
            What::LessEffect(_) => Ok(()),
            What::Untranslatable => f.write_str(" is lost: the other contract has no word for it"),
        }
    }
}
