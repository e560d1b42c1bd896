//! Chat that is not awaited.
//!
//! error: a chat does nothing until it is awaited: add `.await`, or `.text().await` for the text of the model
//! write: add `.await`, or `.text().await`

use agui_runtime::model::Model;

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Be brief.")
}
