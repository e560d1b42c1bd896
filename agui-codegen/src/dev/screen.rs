//! The output: one screen with the addresses, and a few lines for each change.

use std::io::{IsTerminal as _, Write as _};
use std::net::SocketAddr;

use crate::hidden::one_line;
use crate::terminal::say;

/// The longest line of progress, in characters: a longer one could not be written over.
const WIDTH: usize = 76;

/// Erases the line of the cursor, which has the progress.
const ERASE: &str = "\r\u{1b}[2K";

/// Shows progress in one line of a terminal; in a log, progress would be noise.
pub(super) fn progress(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() {
        let text: String = one_line(text).chars().take(WIDTH).collect();
        // A closed terminal does not end the agent.
        let _ = write!(out, "{ERASE}{text}").and_then(|()| out.flush());
    }
}

/// Prints a line after the progress.
pub(super) fn line(text: &str) {
    progress("");
    say(&format!("{text}\n"));
}

/// Prints another program's text as it is, with its colours.
pub(super) fn foreign(text: &str) {
    progress("");
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// The address for a browser on this machine.
pub(super) fn url(address: SocketAddr) -> String {
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        std::net::IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
        std::net::IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    format!("http://{}/", SocketAddr::new(host, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_all_interfaces_is_opened_on_this_machine() {
        assert_eq!(url("0.0.0.0:80".parse().unwrap()), "http://127.0.0.1:80/");
        assert_eq!(url("[::]:80".parse().unwrap()), "http://[::1]:80/");
        assert_eq!(url("127.0.0.1:8000".parse().unwrap()), "http://127.0.0.1:8000/");
    }
}
