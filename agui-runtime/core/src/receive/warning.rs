//! Warnings about frames: material that a receiver changed, left out or added.

use std::fmt;

use super::reduce::ReduceWarning;
use crate::protocol::PROTOCOL_VERSION;

/// Material in a frame that is not AG-UI but no reason to refuse the frame.
///
/// A frame without warnings was taken unchanged (AG-UI 1.0, section "Warnings": a loss must be reported). Every stage takes a
/// warning function, so the caller decides how to report.
///
/// ```
/// use agui_runtime::receive::{FrameIntake, FrameWarning, WarningKind};
///
/// let mut warnings: Vec<FrameWarning> = Vec::new();
/// let mut warn = |warning| warnings.push(warning);
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// let event = FrameIntake::new().text(step, &mut warn)?;
///
/// assert!(event.is_some());
/// assert_eq!((warnings[0].path(), warnings[0].kind()), ("/mood", &WarningKind::Unknown));
/// assert_eq!(
///     warnings[0].to_string(),
///     "STEP_STARTED: `/mood` is left out: AG-UI 1.1 does not define it",
/// );
/// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameWarning {
    event: Box<str>,
    path: Box<str>,
    what: WarningKind,
}

impl FrameWarning {
    pub(crate) fn new(event: &str, path: impl Into<Box<str>>, what: WarningKind) -> Self {
        Self { event: event.into(), path: path.into(), what }
    }

    /// Returns the event's type as received; empty for an input.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// Returns the path in the event, in the official client's notation: `/` before each key and index, nothing escaped. Empty for
    /// the event as a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the change at that path.
    #[must_use]
    pub fn kind(&self) -> &WarningKind {
        &self.what
    }
}

/// The change at one path in an event or an input.
///
/// ```
/// use agui_runtime::receive::{FrameIntake, FrameWarning, WarningKind};
///
/// /// Returns true if part of the frame is lost.
/// fn is_loss(warning: &FrameWarning) -> bool {
///     use WarningKind::{Lost, OnlyAnId, Unknown, UnknownEvent};
///     matches!(warning.kind(), UnknownEvent | Unknown | Lost | OnlyAnId)
/// }
///
/// let mut losses = 0;
/// let step = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// FrameIntake::new().text(step, &mut |warning| losses += u32::from(is_loss(&warning)))?;
/// assert_eq!(losses, 1);
/// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// The event was left out: this version does not know its type.
    UnknownEvent,
    /// A key, union member or list member was left out: this version does not know it.
    Unknown,
    /// A `null` that earlier versions wrote for "absent" was read as absent.
    NullIsAbsent,
    /// A retired shape was read as its successor.
    Retired {
        /// The successor's name.
        becomes: &'static str,
    },
    /// Content in a retired shape was lost, because this version has no place for it.
    Lost,
    /// An end or a delta came without a start, so an id was invented.
    InventedId {
        /// The invented id, which names nothing.
        id: String,
    },
    /// A retired part was left out: another part of the message has the same content in the modern form.
    Repeated,
    /// A `binary` part has only an id, which no part of this version supports.
    OnlyAnId,
    /// The producer declares a later protocol version.
    NewerProtocol {
        /// The declared version.
        declared: String,
    },
    /// The producer declares a malformed protocol version.
    UnreadableProtocol {
        /// The declared version.
        declared: String,
    },
    /// The event was left out: the agent is older than subagents.
    BeforeSubagents,
    /// Parts were left out of an input: the agent reads only text.
    TextOnly {
        /// The left-out parts' types, in order.
        lost: Vec<&'static str>,
    },
    /// A member was left out of an input: the agent's version does not have the member, or a type has no value.
    Unsent,
    /// Half a character, as JavaScript may cut one, was read as U+FFFD.
    HalfCharacter,
    /// The event is in order but had less effect than it could have.
    LessEffect(ReduceWarning),
    /// The material is lost in translation: the other protocol, the snake_case dialect or AG-UI, cannot express it.
    Untranslatable,
}

impl fmt::Display for FrameWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // That warning names the event and the place itself.
        if let WarningKind::LessEffect(warning) = &self.what {
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
            WarningKind::UnknownEvent => {
                write!(f, " is dropped: AG-UI {PROTOCOL_VERSION} does not know this type of event")
            }
            WarningKind::Unknown => write!(f, " is left out: AG-UI {PROTOCOL_VERSION} does not define it"),
            WarningKind::NullIsAbsent => {
                f.write_str(" is `null`, which older versions wrote for \"absent\"; it is read as absent")
            }
            WarningKind::Retired { becomes } => write!(f, " is retired and read as {becomes}"),
            WarningKind::Lost => {
                write!(f, " is retired and lost: AG-UI {PROTOCOL_VERSION} has no member for it")
            }
            WarningKind::InventedId { id } => {
                write!(f, " has no start; it got the invented id `{id}`")
            }
            WarningKind::Repeated => f.write_str(" is a retired form of another part, and is left out"),
            WarningKind::OnlyAnId => {
                f.write_str(" is a binary part with neither data nor URL, which AG-UI 1.0 does not support")
            }
            WarningKind::NewerProtocol { declared } => {
                write!(f, " comes from a producer of the newer protocol version {declared}")
            }
            WarningKind::UnreadableProtocol { declared } => {
                write!(f, " declares a malformed protocol version: `{declared}`")
            }
            WarningKind::BeforeSubagents => f.write_str(" is dropped: the agent is older than subagents"),
            WarningKind::Unsent => f.write_str(
                " is left out: the agent's version does not have it, or it is a type without a value",
            ),
            WarningKind::TextOnly { lost } => {
                write!(
                    f,
                    " loses parts that the agent cannot read, because it reads only text: {}",
                    lost.join(", ")
                )
            }
            WarningKind::HalfCharacter => f.write_str(" contains half a character, which is read as U+FFFD"),
            WarningKind::LessEffect(_) => Ok(()),
            WarningKind::Untranslatable => f.write_str(" is lost: the dialect cannot express it"),
        }
    }
}
