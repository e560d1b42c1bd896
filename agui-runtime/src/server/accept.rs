//! Which encoding of the stream a client reads.

use http::{HeaderMap, StatusCode, header};

use super::encoding::Encoding;
use super::rejection::Rejection;
use crate::wire::{proto, sse};

/// The binary encoding for those who name it, server-sent events for everyone else but those who rule them out.
///
/// No `Accept`, wildcards and what cannot be read as one all get server-sent events: a shell or a browser must be able to read an
/// agent. That is where this parts with the official writer, to which a wildcard admits the binary type (AG-UI 1.0, section "Choosing
/// the encoding"). As there, qualities are not compared: who can read the binary encoding gets it. A header that names other types
/// only, or gives server-sent events quality 0, is refused.
pub(super) fn choose(headers: &HeaderMap) -> Result<Encoding, Rejection> {
    let mut named = false;
    // The most specific range decides, wherever it stands (RFC 9110, 12.5.1).
    let mut verdict = (0, false);
    for header in headers.get_all(header::ACCEPT) {
        let Ok(header) = header.to_str() else { return Ok(Encoding::Sse) };
        for range in header.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default().to_ascii_lowercase();
            let rank = match media.as_str() {
                "" => continue,
                proto::CONTENT_TYPE if parts.all(is_some_quality) => return Ok(Encoding::Proto),
                // Named in a way that does not ask for it: says nothing of the other.
                proto::CONTENT_TYPE => continue,
                sse::CONTENT_TYPE => 3,
                "text/*" => 2,
                "*/*" | "application/*" => 1,
                other if other.contains('/') => 0,
                _ => return Ok(Encoding::Sse),
            };
            named = true;
            if rank > verdict.0 {
                verdict = (rank, !parts.any(is_zero_quality));
            }
        }
    }
    if !named || verdict.1 {
        return Ok(Encoding::Sse);
    }
    Err(Rejection::new(
        StatusCode::NOT_ACCEPTABLE,
        "not_acceptable",
        format!(
            "a run is answered with `{}` or `{}`, which the `Accept` header rules out",
            sse::CONTENT_TYPE,
            proto::CONTENT_TYPE
        ),
    ))
}

fn quality(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    if name.trim().eq_ignore_ascii_case("q") { value.trim().parse().ok() } else { None }
}

fn is_zero_quality(parameter: &str) -> bool {
    quality(parameter).is_some_and(|quality| quality <= 0.0)
}

fn is_some_quality(parameter: &str) -> bool {
    parameter.is_empty() || quality(parameter).is_some_and(|quality| quality > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SSE: Option<Encoding> = Some(Encoding::Sse);
    const PROTO: Option<Encoding> = Some(Encoding::Proto);

    #[test]
    fn the_binary_encoding_for_those_who_name_it() {
        let rows: &[(&[&str], Option<Encoding>)] = &[
            (&[], SSE),
            (&[""], SSE),
            (&["text/event-stream"], SSE),
            (&["Text/Event-Stream; charset=utf-8"], SSE),
            (&["*/*"], SSE),
            (&["application/*"], SSE),
            (&["text/*;q=0.1"], SSE),
            (&["application/json, */*;q=0.1"], SSE),
            (&["application/json", "text/event-stream"], SSE),
            (&["no media type at all"], SSE),
            (&["application/vnd.ag-ui.event+proto"], PROTO),
            (&["Application/VND.AG-UI.event+Proto"], PROTO),
            (&["application/vnd.ag-ui.event+proto;q=0.001"], PROTO),
            (&["application/vnd.ag-ui.event+proto ; Q=1.0"], PROTO),
            (&["application/vnd.ag-ui.event+proto, text/event-stream"], PROTO),
            (&["text/event-stream;q=1, application/vnd.ag-ui.event+proto;q=0.1"], PROTO),
            (&["text/event-stream", "application/vnd.ag-ui.event+proto"], PROTO),
            (&["text/event-stream;q=0, application/vnd.ag-ui.event+proto"], PROTO),
            (&["application/vnd.ag-ui.event+proto;q=0"], SSE),
            (&["application/vnd.ag-ui.event+proto;q=much"], SSE),
            (&["application/vnd.ag-ui.event+proto; charset=utf-8"], SSE),
            (&["application/vnd.ag-ui.event+proto;q=0, */*"], SSE),
            (&["application/vnd.ag-ui.event+proto;q=0, application/json"], None),
            (&["application/json"], None),
            (&["text/event-stream;q=0"], None),
            (&["text/event-stream;q=0, */*"], None),
            (&["*/*, text/event-stream; q=0.0"], None),
            (&["*/*;q=0"], None),
        ];
        for (accept, expected) in rows {
            let mut headers = HeaderMap::new();
            for value in *accept {
                headers.append(header::ACCEPT, value.parse().unwrap());
            }
            assert_eq!(choose(&headers).ok(), *expected, "{accept:?}");
        }
    }
}
