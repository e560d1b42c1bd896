//! Frame credit: the number of frames that a run may send ahead of the reader.

use tokio::sync::Semaphore;

/// One run's credit. A run without credit waits, and no other run does.
pub(super) struct FrameCredit {
    /// `None` for a client that reads everything at once.
    frames: Option<Semaphore>,
}

impl FrameCredit {
    pub(super) fn new(window: Option<u32>) -> Self {
        Self { frames: window.map(|window| Semaphore::new(window as usize)) }
    }

    /// Takes credit for one frame, as soon as there is some.
    pub(super) async fn take(&self) {
        if let Some(frames) = &self.frames
            // The semaphore is never closed.
            && let Ok(frame) = frames.acquire().await
        {
            frame.forget();
        }
    }

    /// Adds credit. Returns false if the sum exceeds what any client can mean.
    pub(super) fn add(&self, more: u32) -> bool {
        let Some(frames) = &self.frames else { return true };
        let most = u32::MAX as usize;
        let fits =
            frames.available_permits().saturating_add(more as usize) <= most.min(Semaphore::MAX_PERMITS);
        if fits {
            frames.add_permits(more as usize);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_run_waits_for_credit_and_too_much_is_refused() {
        let credit = FrameCredit::new(Some(1));
        assert!(credit.take().now_or_never().is_some());
        assert!(credit.take().now_or_never().is_none());
        assert!(credit.add(2));
        assert!(credit.take().now_or_never().is_some());
        assert!(!credit.add(u32::MAX), "one frame is left");
        let unlimited = FrameCredit::new(None);
        assert!(unlimited.add(u32::MAX) && unlimited.add(u32::MAX));
        assert!(unlimited.take().now_or_never().is_some());
    }
}
