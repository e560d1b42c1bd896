//! Both ways to read a frame, and what must hold of them whatever the bytes are.

use agui_runtime::order::Strictness;
use agui_runtime::protocol::Event;
use agui_runtime::receive::{Intake, RejectCode, Rejected, Warning};
use serde_json::Value;

/// What came of a frame.
pub type Came = (Result<Option<Event>, Rejected>, Vec<Warning>);

/// What comes of a text, as it is read in earnest.
pub fn read(text: &str, strictness: Strictness) -> Came {
    let mut warnings = Vec::new();
    let result = Intake::new().with_strictness(strictness).text(text, &mut |warning| warnings.push(warning));
    (result, warnings)
}

/// What comes of it by way of a JSON value, which is always read carefully. `None` if the text is none.
#[must_use]
pub fn read_carefully(text: &str, strictness: Strictness) -> Option<Came> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut warnings = Vec::new();
    let result =
        Intake::new().with_strictness(strictness).value(value, &mut |warning| warnings.push(warning));
    Some((result, warnings))
}

/// Reads any bytes both ways, which must agree; gives whether they were JSON.
///
/// # Panics
/// If they do not.
pub fn fuzz(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let careful = read_carefully(&text, Strictness::Client);
    for strictness in [Strictness::Client, Strictness::Spec, Strictness::Producer] {
        let came = read(&text, strictness);
        let by_bytes = Intake::new().with_strictness(strictness).bytes(bytes, &mut |_| {});
        assert_eq!(by_bytes, came.0, "{text}");
        match read_carefully(&text, strictness) {
            Some(careful) => assert_eq!(came, careful, "{text}"),
            // Half a character is the one thing that is mended.
            None if text.contains("\\u") => {}
            None => {
                let code = came.0.map_err(|rejected| rejected.code());
                assert_eq!(code, Err(RejectCode::NotJson), "{text}");
            }
        }
    }
    careful.is_some()
}
