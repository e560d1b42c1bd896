//! Call settled twice.
//!
//! error: use of moved value: `call`
//! write: a call has one result: make another call, `run.call(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let call = run.call(price { name: "rice".to_owned() }).await?;
    call.run().await;
    call.run().await;
    Ok(())
}
