//! Redirects: a request contains a conversation and secrets, which are meant for one origin.

use http::{StatusCode, header};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Response, Url};

use crate::client::ClientError;
use crate::quoted::quoted;

/// Follows up to `limit` redirects that repeat the request at the same origin. Any other redirect is
/// returned as a response.
pub(super) fn policy(limit: usize) -> Policy {
    if limit == 0 {
        return Policy::none();
    }
    Policy::custom(move |attempt: Attempt| {
        // The first of the previous addresses is that of the request.
        let asked = attempt.previous();
        let stays = asked.first().is_some_and(|first| first.origin() == attempt.url().origin());
        let repeats =
            matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
        if stays && repeats && asked.len() <= limit { attempt.follow() } else { attempt.stop() }
    })
}

/// Refuses a redirect, and a response from another origin.
pub(super) fn check(response: &Response, asked: &Url) -> Result<(), ClientError> {
    let status = response.status();
    let location = response.headers().get(header::LOCATION).filter(|_| status.is_redirection());
    let location = match location {
        Some(location) => quoted(String::from_utf8_lossy(location.as_bytes())).to_string(),
        None if response.url().origin() != asked.origin() => quoted(response.url()).to_string(),
        None => return Ok(()),
    };
    Err(ClientError::Redirect { status: status.as_u16(), location })
}

#[cfg(test)]
mod tests {
    use reqwest::ResponseBuilderExt as _;

    use super::*;

    /// The response from an HTTP client that follows redirects.
    fn from(url: &str) -> Response {
        http::Response::builder().status(200).url(url.parse().unwrap()).body("").unwrap().into()
    }

    #[test]
    fn an_answer_from_another_origin_is_refused() {
        let asked = "https://agents.example/run".parse().unwrap();
        assert!(check(&from("https://agents.example:443/elsewhere"), &asked).is_ok());
        for url in
            ["https://other.example/run", "http://agents.example/run", "https://agents.example:8443/run"]
        {
            let refused = check(&from(url), &asked).unwrap_err();
            assert!(matches!(refused, ClientError::Redirect { status: 200, location } if location == url));
        }
    }
}
