//! Which encoding of the stream a client reads.

use http::{HeaderMap, StatusCode, header};

use super::rejection::Rejection;
use crate::wire::sse;

/// Server-sent events for everyone but those who rule them out.
///
/// No `Accept`, wildcards and what cannot be read as one all get server-sent events: a shell or a browser must be able
/// to read an agent. A header that names other types only, or gives ours quality 0, is refused.
pub(super) fn check(headers: &HeaderMap) -> Result<(), Rejection> {
    let mut named = false;
    // The most specific range decides, wherever it stands (RFC 9110, 12.5.1).
    let mut verdict = (0, false);
    for header in headers.get_all(header::ACCEPT) {
        let Ok(header) = header.to_str() else { return Ok(()) };
        for range in header.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default().to_ascii_lowercase();
            let rank = match media.as_str() {
                "" => continue,
                sse::CONTENT_TYPE => 3,
                "text/*" => 2,
                "*/*" => 1,
                other if other.contains('/') => 0,
                _ => return Ok(()),
            };
            named = true;
            if rank > verdict.0 {
                verdict = (rank, !parts.any(is_zero_quality));
            }
        }
    }
    if !named || verdict.1 {
        return Ok(());
    }
    Err(Rejection::new(
        StatusCode::NOT_ACCEPTABLE,
        "not_acceptable",
        format!("a run is answered with `{}`, which the `Accept` header rules out", sse::CONTENT_TYPE),
    ))
}

fn is_zero_quality(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, value)| {
        name.trim().eq_ignore_ascii_case("q")
            && value.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_sent_events_unless_they_are_ruled_out() {
        let rows: &[(&[&str], bool)] = &[
            (&[], true),
            (&[""], true),
            (&["text/event-stream"], true),
            (&["Text/Event-Stream; charset=utf-8"], true),
            (&["*/*"], true),
            (&["text/*;q=0.1"], true),
            (&["application/vnd.ag-ui.event+proto, text/event-stream"], true),
            (&["application/json, */*;q=0.1"], true),
            (&["application/json", "text/event-stream"], true),
            (&["no media type at all"], true),
            (&["application/json"], false),
            (&["application/vnd.ag-ui.event+proto"], false),
            (&["text/event-stream;q=0"], false),
            (&["text/event-stream;q=0, */*"], false),
            (&["*/*, text/event-stream; q=0.0"], false),
            (&["*/*;q=0"], false),
        ];
        for (accept, expected) in rows {
            let mut headers = HeaderMap::new();
            for value in *accept {
                headers.append(header::ACCEPT, value.parse().unwrap());
            }
            assert_eq!(check(&headers).is_ok(), *expected, "{accept:?}");
        }
    }
}
