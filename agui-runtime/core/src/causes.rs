//! An error together with its causes, on one line.

use std::error::Error;
use std::fmt;

/// Formats an error and its causes: `error sending request: connection refused`. A cause whose text is
/// already part of the text before it is left out.
pub(crate) struct Causes<'e>(pub(crate) &'e (dyn Error + 'static));

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.0.to_string();
        let mut cause = self.0.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !said.contains(&text) {
                said.push_str(": ");
                said.push_str(&text);
            }
            cause = error.source();
        }
        f.write_str(&said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Layer {
        text: &'static str,
        source: Option<Box<Layer>>,
    }

    #[test]
    fn every_cause_is_printed_once() {
        let layers = ["refused", "connect: refused", "no answer"];
        let error =
            layers.into_iter().fold(None, |source, text| Some(Box::new(Layer { text, source }))).unwrap();
        assert_eq!(Causes(&*error).to_string(), "no answer: connect: refused");
    }
}
