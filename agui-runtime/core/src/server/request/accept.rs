//! Chooses the stream encoding from the `Accept` header.

use http::{HeaderMap, header};

use crate::server::response::encoding::StreamEncoding;
use crate::wire::proto;

/// Returns the binary encoding if the client names that type, otherwise server-sent events (AG-UI 1.0, section "Choosing the
/// encoding").
///
/// A client that names only other types also gets server-sent events: many programs send `application/json` for everything, and a
/// readable run helps them more than a 406, which RFC 9110, 12.5.1, leaves to the server. For the official writer a wildcard
/// admits the binary type; see `WildcardAccept` among the [`differences`](crate::receive::differences). Like the official writer,
/// this function ignores qualities: a client that can read the binary encoding gets binary.
pub(in crate::server) fn choose(headers: &HeaderMap) -> StreamEncoding {
    for header in headers.get_all(header::ACCEPT) {
        let Ok(header) = header.to_str() else { return StreamEncoding::Sse };
        for range in header.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            if media.eq_ignore_ascii_case(proto::CONTENT_TYPE) && parts.all(is_some_quality) {
                return StreamEncoding::Proto;
            }
        }
    }
    StreamEncoding::Sse
}

fn quality(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    if name.trim().eq_ignore_ascii_case("q") { value.trim().parse().ok() } else { None }
}

fn is_some_quality(parameter: &str) -> bool {
    parameter.is_empty() || quality(parameter).is_some_and(|quality| quality > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SSE: StreamEncoding = StreamEncoding::Sse;
    const PROTO: StreamEncoding = StreamEncoding::Proto;

    #[test]
    fn a_client_that_names_the_binary_encoding_gets_it() {
        let rows: &[(&[&str], StreamEncoding)] = &[
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
            (&["application/vnd.ag-ui.event+proto;q=0, application/json"], SSE),
            (&["application/json"], SSE),
            (&["text/event-stream;q=0"], SSE),
            (&["text/event-stream;q=0, */*"], SSE),
            (&["*/*, text/event-stream; q=0.0"], SSE),
            (&["*/*;q=0"], SSE),
        ];
        for (accept, expected) in rows {
            let mut headers = HeaderMap::new();
            for value in *accept {
                headers.append(header::ACCEPT, value.parse().unwrap());
            }
            assert_eq!(choose(&headers), *expected, "{accept:?}");
        }
    }
}
