//! Call settled twice.
//!
//! error: use of moved value: `call`
//! write: value used here after move

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let call = run.call(price { name: "rice".to_owned() }).await?;
    call.run().await;
    call.run().await;
    Ok(())
}
