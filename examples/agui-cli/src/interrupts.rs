//! Presses of Ctrl-C.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Listener, ctrl_c};

/// The presses of Ctrl-C. One listener hears all of them for as long as the program runs: one for each wait would miss those
/// that come between two waits.
#[derive(Debug)]
pub struct Interrupts(Listener);

impl Interrupts {
    /// Begins to listen. From here on Ctrl-C does not end the program by itself.
    pub fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        let listener = signal(SignalKind::interrupt());
        #[cfg(windows)]
        let listener = ctrl_c();
        listener.map(Self)
    }

    /// Waits for a press since the last one that was taken.
    pub async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            // No press can come any more.
            std::future::pending::<()>().await;
        }
    }

    /// Forgets a press that nothing waited for: it was about what is over.
    pub async fn forget(&mut self) {
        tokio::select! {
            biased;
            () = self.next() => {}
            () = std::future::ready(()) => {}
        }
    }
}
