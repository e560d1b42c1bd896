//! Interrupts outside of stored threads: the store lets one process resume each.

use hmac_sha256::Hash as Sha256;

use super::claiming::{ClaimError, commit};
use super::record::{ControlRecord, control_record};
use crate::hex::hex;
use crate::protocol::InterruptId;
use crate::server::threads::ServerThreads;
use crate::server::threads::epoch::{new_epoch, nonce};
use crate::thread::{LogAppend, LogError, LogPosition, ThreadKey};

impl ServerThreads {
    /// Claims an interrupt that an owner's run raised at a path, under the id that the client has. Returns false if another run,
    /// on whichever server, has claimed the interrupt.
    ///
    /// The claim is a thread with one record, and is deleted as old threads are.
    ///
    /// # Errors
    /// [`LogError`] if the store does not say whose claim was first.
    pub(in crate::server) async fn claim_interrupt(
        &self,
        owner: &str,
        path: &str,
        id: &InterruptId,
    ) -> Result<bool, LogError> {
        let name = format!("interrupt {}", hex(&Sha256::hash(id.as_str().as_bytes())));
        let (key, nonce) = (ThreadKey::new(owner, path, name), nonce());
        let claimed = ControlRecord::Claimed {
            run: "run".into(),
            nonce: nonce.clone(),
            resumed: vec![],
            request: None,
        };
        let records = vec![control_record(&claimed).map_err(LogError::new)?];
        let append = LogAppend {
            at: LogPosition::default(),
            epoch: new_epoch().max(1),
            records,
            note: None,
            lease: None,
        };
        let (mut is_sent, mut backoff) = (false, self.backoff());
        loop {
            match commit(&*self.log, &key, &append, &nonce, &mut is_sent).await {
                Ok(()) => return Ok(true),
                Err(ClaimError::Lost) => return Ok(false),
                Err(ClaimError::Unknown(error)) if !backoff.wait().await => return Err(error),
                Err(ClaimError::Unknown(_)) => {}
                Err(error) => return Err(LogError::new(error)),
            }
        }
    }
}
