//! Frontend call asked.
//!
//! error: a frontend tool's call is never reported as an interrupt
//! write: end the run and let the client answer: `return Err(Stop::await_frontend([call]))`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let call = run.call(confirm { total: 180 }).await?;
    Err(call.ask(Allow { what: "fire".to_owned() }))
}
