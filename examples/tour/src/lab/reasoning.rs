//! `/lab/reasoning`: the thoughts of a model before its answer.

use agui_runtime::prelude::*;
use agui_runtime::protocol::EncryptedValue;

/// A value that only the model's provider can read: the client sends it back unchanged with the next input.
const SIGNATURE: &str = "b3BhcXVl";
/// The kind of the value, which the client sends back with it. A client of AG-UI 1.0 is sent the value alone.
const SIGNATURE_TYPE: &str = "tour.signature";

/// Thinks, then answers.
#[agent]
pub async fn reasoning(run: &mut Run<Reasoning>, _: Input<Reasoning>) -> Result<(), Stop> {
    let think = run.reasoning().await; // REASONING_START
    let mut thought = think.message().await; // REASONING_MESSAGE_START
    for piece in ["Let me think ", "about this ", "carefully."] {
        thought.push(piece).await; // REASONING_MESSAGE_CONTENT
    }
    let thought = thought.end(); // REASONING_MESSAGE_END; it leaves a receipt
    let signature = EncryptedValue::new(SIGNATURE).with_type(SIGNATURE_TYPE);
    run.encrypted(&thought, signature).await; // REASONING_ENCRYPTED_VALUE
    think.end(); // REASONING_END
    run.say("The answer is 42.").await;
    Ok(())
}
