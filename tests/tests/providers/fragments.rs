//! Arguments in any pieces, of any number of calls, are the same arguments.

use proptest::prelude::*;

use crate::frames::{Said, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, read};

/// The text, cut at these places.
pub(crate) fn cut(text: &str, mut places: Vec<prop::sample::Index>) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut ends: Vec<_> = places.drain(..).map(|place| place.index(characters.len())).collect();
    ends.push(characters.len());
    ends.sort_unstable();
    let mut from = 0;
    let pieces = ends.into_iter().map(|end| {
        let piece = characters[from..end].iter().collect();
        from = end;
        piece
    });
    pieces.collect()
}

fn call() -> impl Strategy<Value = (String, Vec<String>)> {
    let places = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    ("[a-zäß€\\\\\"{}:,]{0,12}", places).prop_map(|(name, places)| {
        let whole = serde_json::json!({ "name": name }).to_string();
        let pieces = cut(&whole, places);
        (whole, pieces)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn arguments_are_whole_however_they_came(
        calls in prop::collection::vec(call(), 1..4),
        bytes in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let said: Vec<_> = calls.iter().enumerate()
            .map(|(at, (_, pieces))| Said::Call(format!("call_{at}"), "price".into(), pieces.clone()))
            .collect();
        for dialect in DIALECTS {
            // Frames are cut at any byte of the stream, too.
            let stream: String = turn(dialect, &said).iter().map(|data| format!("data: {data}\r\n\r\n")).collect();
            let server = Server::start([Answer::bytes(cut(&stream, bytes.clone()))]);
            let read = read(&server.model(dialect), &prompt());
            prop_assert!(read.error.is_none(), "{}: {:?}", dialect, read.error);
            let arguments: Vec<_> = read.deltas.iter().filter_map(|delta| match delta {
                agui_runtime::model::ReplyDelta::Call(call) => Some(call.arguments.clone()),
                _ => None,
            }).collect();
            let expected: Vec<_> = calls.iter().map(|(whole, _)| whole.clone()).collect();
            prop_assert_eq!(arguments, expected, "{}", dialect);
        }
    }
}
