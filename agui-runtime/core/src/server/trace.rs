//! The span of a run request, and the caller's trace.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderMap, StatusCode};
use tracing::Span;
use tracing::field::Empty;

use super::Server;
use crate::telemetry::{
    ERROR_TYPE, HTTP_REQUEST_METHOD, HTTP_RESPONSE_STATUS_CODE, HTTP_ROUTE, SPAN_KIND, SPAN_NAME,
    SPAN_STATUS, TraceContext,
};

/// Connects a request's span with the caller's trace.
pub(super) type RequestSpan = Arc<dyn Fn(&Span, &Parts) -> Option<TraceContext> + Send + Sync>;

impl Server {
    /// Connects each run request's span with the caller's trace: the function gets the span, before it is entered, and the request
    /// head. The returned trace context names the span, and RUN_STARTED carries the context; `None` leaves the choice to the
    /// request headers.
    ///
    /// This crate does not depend on OpenTelemetry, so a program passes the header `traceparent` to its subscriber's layer here.
    /// With crates `tracing-opentelemetry` and `opentelemetry-http` this takes three lines:
    ///
    /// ```text
    /// Server::new().request_span(|span, parts| {
    ///     let parent = propagator.extract(&HeaderExtractor(&parts.headers));
    ///     span.set_parent(parent).ok();
    ///     None
    /// })
    /// ```
    pub fn request_span(
        mut self,
        connect: impl Fn(&Span, &Parts) -> Option<TraceContext> + Send + Sync + 'static,
    ) -> Self {
        self.settings.request_span = Some(Arc::new(connect));
        self
    }
}

/// Returns a run request's span. The span's trace context, if the program gives one, is in the request's extensions.
pub(super) fn span(parts: &mut Parts, path: &str, connect: Option<&RequestSpan>) -> Span {
    let span = tracing::info_span!(
        "request",
        { SPAN_NAME } = %format_args!("{} {path}", parts.method),
        { SPAN_KIND } = "server",
        { HTTP_REQUEST_METHOD } = %parts.method,
        { HTTP_ROUTE } = path,
        { HTTP_RESPONSE_STATUS_CODE } = Empty,
        { ERROR_TYPE } = Empty,
        { SPAN_STATUS } = Empty,
    );
    if let Some(trace) = connect.and_then(|connect| connect(&span, parts)) {
        parts.extensions.insert(trace);
    }
    span
}

/// Records the response status (HTTP semantic conventions: a client error status is no server error).
pub(super) fn record_status(span: &Span, status: StatusCode) {
    span.record(HTTP_RESPONSE_STATUS_CODE, status.as_u16());
    if status.is_server_error() {
        span.record(ERROR_TYPE, status.as_str());
        span.record(SPAN_STATUS, "error");
    }
}

/// Returns a request's trace context: the span's, or else the caller's.
pub(super) fn trace_context(parts: &Parts) -> Option<TraceContext> {
    parts.extensions.get::<TraceContext>().cloned().or_else(|| of_caller(&parts.headers))
}

fn of_caller(headers: &HeaderMap) -> Option<TraceContext> {
    let mut parents = headers.get_all("traceparent").iter();
    // Several name no trace (W3C Trace Context, section 3.2).
    let (Some(parent), None) = (parents.next(), parents.next()) else { return None };
    let states: Vec<_> =
        headers.get_all("tracestate").iter().filter_map(|state| state.to_str().ok()).collect();
    TraceContext::parse(parent.to_str().ok()?, Some(&states.join(",")))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn headers(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn two_parents_name_no_trace_and_two_states_are_joined() {
        let two = headers(&[("traceparent", PARENT), ("traceparent", PARENT)]);
        assert_eq!(of_caller(&two), None);
        let split = headers(&[("traceparent", PARENT), ("tracestate", "a=1"), ("tracestate", "b=2")]);
        assert_eq!(of_caller(&split).unwrap().tracestate(), Some("a=1,b=2"));
    }
}
