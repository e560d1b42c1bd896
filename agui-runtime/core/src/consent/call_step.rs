//! The call step in the agent path that an interrupt names.
//!
//! An interrupt from a subagent that a model called is signed with the subagent's path. The path step names the call with a digest
//! over the task, so that the resume entry proves the call: the client cannot have another subagent, or this one with another
//! task, continue.

use hmac_sha256::Hash as Sha256;

use super::field::field;
use crate::hex::hex;
use crate::kernel::{escape, unescape};
use crate::protocol::{ToolCall, ToolCallId};

/// Digest length in characters.
const DIGEST: usize = 32;

/// Returns a call's path step.
pub(crate) fn call_step(tool: &str, call: &ToolCallId, task: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"agui-rust step 1");
    for text in [tool, call.as_str(), task] {
        field(&mut hash, text);
    }
    let mut digest = hex(&hash.finalize());
    digest.truncate(DIGEST);
    format!("{}:{}:{digest}", escape(tool), escape(call.as_str()))
}

/// Returns the path step for a call in the conversation.
pub(crate) fn step_of(call: &ToolCall) -> String {
    call_step(&call.function.name, &call.id, &task_of(&call.function.arguments))
}

/// Returns the step directly below an agent's own path, if that agent's call made the subagent at the end of the path.
pub(crate) fn step_below<'p>(own: &str, path: &'p str) -> Option<(&'p str, ToolCallId)> {
    let below = match own {
        "" => path,
        own => path.strip_prefix(own)?.strip_prefix('/')?,
    };
    let step = below.split('/').next()?;
    let (named, digest) = step.rsplit_once(':')?;
    let (_, call) = named.split_once(':')?;
    let is_digest = digest.len() == DIGEST && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest.then(|| (step, unescape(call).into()))
}

/// Returns the task in a call's arguments; empty if the arguments have none.
fn task_of(arguments: &str) -> String {
    let read = serde_json::from_str::<serde_json::Value>(arguments).ok();
    let task = read.as_ref().and_then(|arguments| arguments.get("task")?.as_str());
    task.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FunctionCall;

    #[test]
    fn a_step_leads_back_to_its_call() {
        let call = ToolCall::new("c/1:#~", FunctionCall::new("reader", r#"{"task":"Find it."}"#));
        let step = step_of(&call);
        assert_eq!(step, call_step("reader", &call.id, "Find it."));
        for own in ["", "lead:c-0:00000000000000000000000000000000", "by hand:1"] {
            let path = if own.is_empty() { format!("{step}/x:1") } else { format!("{own}/{step}/x:1") };
            assert_eq!(step_below(own, &path), Some((step.as_str(), call.id.clone())), "{path}");
        }
        assert_eq!(step_below("", "reader:1"), None, "a delegation by hand");
        assert_eq!(step_below(&step, &step), None, "the agent itself");
        assert_eq!(step_below("read", &step), None, "another agent");
    }

    #[test]
    fn every_part_of_a_call_changes_its_step() {
        let steps = [("a", "1", "t"), ("b", "1", "t"), ("a", "2", "t"), ("a", "1", "u"), ("a", "1t", "")];
        let steps = steps.map(|(tool, call, task)| call_step(tool, &call.into(), task));
        for (at, step) in steps.iter().enumerate() {
            assert!(!steps[..at].contains(step), "{step}");
        }
    }
}
