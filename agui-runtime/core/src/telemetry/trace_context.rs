//! The place of a request in a trace (W3C Trace Context).

use crate::protocol::Metadata;

/// The longest `tracestate` that is passed on (W3C Trace Context, section 3.3.1.5).
const LONGEST_STATE: usize = 512;

/// The place of a run in a trace: the headers `traceparent` and `tracestate` of W3C Trace Context.
///
/// A server reads it from each request for a run. RUN_STARTED carries it in its metadata, under the names of the headers,
/// so that clients find the trace of a run. AG-UI 1.0 defines no member for it: metadata is the place for such data
/// (section "Fields of every event"). Legacy clients get no metadata.
///
/// ```
/// use agui_runtime::telemetry::TraceContext;
///
/// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let context = TraceContext::parse(parent, Some("vendor=opaque")).unwrap();
/// assert_eq!(context.trace_id(), "0af7651916cd43dd8448eb211c80319c");
/// assert_eq!((context.traceparent(), context.tracestate()), (parent, Some("vendor=opaque")));
/// assert!(TraceContext::parse("00-0-0-0", None).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    traceparent: String,
    tracestate: Option<String>,
}

impl TraceContext {
    /// Reads both headers. `None` if `traceparent` is malformed; a malformed `tracestate` is left out.
    ///
    /// ```
    /// use agui_runtime::telemetry::TraceContext;
    ///
    /// let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
    /// assert!(TraceContext::parse(zero, None).is_none(), "no trace has this id");
    /// ```
    #[must_use]
    pub fn parse(traceparent: &str, tracestate: Option<&str>) -> Option<Self> {
        if !is_parent(traceparent) {
            return None;
        }
        let state = tracestate.map(str::trim).filter(|state| is_state(state));
        Some(Self { traceparent: traceparent.to_owned(), tracestate: state.map(str::to_owned) })
    }

    /// Returns the header `traceparent`.
    ///
    /// ```
    /// # use agui_runtime::telemetry::TraceContext;
    /// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    /// assert_eq!(TraceContext::parse(parent, None).unwrap().traceparent(), parent);
    /// ```
    #[must_use]
    pub fn traceparent(&self) -> &str {
        &self.traceparent
    }

    /// Returns the header `tracestate`, if there was one.
    ///
    /// ```
    /// # use agui_runtime::telemetry::TraceContext;
    /// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    /// assert_eq!(TraceContext::parse(parent, None).unwrap().tracestate(), None);
    /// ```
    #[must_use]
    pub fn tracestate(&self) -> Option<&str> {
        self.tracestate.as_deref()
    }

    /// Returns the id of the trace: 32 hexadecimal digits.
    ///
    /// ```
    /// # use agui_runtime::telemetry::TraceContext;
    /// let context = TraceContext::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", None);
    /// assert_eq!(context.unwrap().trace_id(), "0af7651916cd43dd8448eb211c80319c");
    /// ```
    #[must_use]
    pub fn trace_id(&self) -> &str {
        self.traceparent.get(3..35).unwrap_or_default()
    }

    /// Returns the metadata of RUN_STARTED.
    pub(crate) fn to_metadata(&self) -> Metadata {
        let parent = ("traceparent".to_owned(), self.traceparent.clone().into());
        let state = self.tracestate.clone().map(|state| ("tracestate".to_owned(), state.into()));
        Metadata::from_iter([Some(parent), state].into_iter().flatten())
    }
}

/// Checks `version-trace-parent-flags` (section 3.2). Versions above 00 may have more after the flags.
fn is_parent(text: &str) -> bool {
    let mut parts = text.splitn(5, '-');
    let mut part = |digits: usize| {
        parts.next().filter(|part| {
            part.len() == digits && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    };
    let (Some(version), Some(trace), Some(parent), Some(_)) = (part(2), part(32), part(16), part(2)) else {
        return false;
    };
    let is_zero = |id: &str| id.bytes().all(|byte| byte == b'0');
    let may_go_on = version != "00" && text.len() <= LONGEST_STATE;
    version != "ff" && !is_zero(trace) && !is_zero(parent) && (parts.next().is_none() || may_go_on)
}

fn is_state(text: &str) -> bool {
    let is_legal = |byte: u8| matches!(byte, b' '..=b'~' | b'\t');
    (1..=LONGEST_STATE).contains(&text.len()) && text.contains('=') && text.bytes().all(is_legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_malformed_parent_is_no_context() {
        for wrong in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333é-01",
        ] {
            assert_eq!(TraceContext::parse(wrong, None), None, "{wrong}");
        }
        assert!(TraceContext::parse(PARENT, None).is_some());
        let later = "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-ever";
        assert!(TraceContext::parse(later, None).is_some(), "a later version may have more");
    }

    #[test]
    fn a_malformed_state_is_left_out() {
        let long = format!("a={}", "x".repeat(511));
        for wrong in ["", "   ", "nothing", "a=\u{1b}[31m", "a=ü", &long] {
            assert_eq!(TraceContext::parse(PARENT, Some(wrong)).unwrap().tracestate(), None, "{wrong}");
        }
        let context = TraceContext::parse(PARENT, Some(" a=1,b=2 ")).unwrap();
        assert_eq!(context.tracestate(), Some("a=1,b=2"));
        let metadata = serde_json::to_value(context.to_metadata()).unwrap();
        assert_eq!(metadata, serde_json::json!({ "traceparent": PARENT, "tracestate": "a=1,b=2" }));
    }
}
