//! Close codes for a socket (RFC 6455, section 7.4.1).

use std::io;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::meter::{LateMessage, NoRoom};

/// The maximum reason length in bytes: a close frame has 125 bytes, and the code takes two.
const REASON: usize = 123;

/// Returns a close frame with a readable reason.
pub(super) fn close_frame(code: CloseCode, reason: &str) -> CloseFrame {
    let end = (0..=REASON.min(reason.len())).rev().find(|end| reason.is_char_boundary(*end));
    CloseFrame { code, reason: reason.get(..end.unwrap_or_default()).unwrap_or_default().into() }
}

/// Returns the close frame for a read error; `None` if the client is gone.
pub(super) fn error_close_frame(error: &Error) -> Option<CloseFrame> {
    let (code, reason) = match error {
        Error::Capacity(_) => (CloseCode::Size, error.to_string()),
        Error::Utf8(_) => (CloseCode::Invalid, error.to_string()),
        Error::Protocol(_) | Error::AttackAttempt => (CloseCode::Protocol, error.to_string()),
        Error::Io(error) if is::<NoRoom>(error) => (CloseCode::Again, error.to_string()),
        Error::Io(error) if is::<LateMessage>(error) => (CloseCode::Policy, error.to_string()),
        _ => return None,
    };
    Some(close_frame(code, &reason))
}

fn is<T: std::error::Error + 'static>(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<T>)
}
