//! A manifest from a development server, fetched by one `GET`.

use std::time::Duration;

/// A limit in bytes that no manifest reaches.
const MOST: u64 = 256 * 1024 * 1024;

/// Returns the response body from `url`.
///
/// # Errors
///
/// Returns the error as text.
pub(super) fn get(url: &str, limit: Duration) -> Result<String, String> {
    if cfg!(not(feature = "https")) && url.starts_with("https:") {
        return Err("this agui-codegen was built without the feature `https`: `cargo install agui-codegen --features https`; \
                    the packages of npm and PyPI have all features"
            .into());
    }
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(limit))
        // An error response's body says more than the status.
        .http_status_as_error(false)
        .build()
        .new_agent();
    let said = |error: ureq::Error| error.to_string();
    let mut response = agent.get(url).header("accept", "application/json").call().map_err(said)?;
    let body = response.body_mut().with_config().limit(MOST).read_to_string().map_err(said)?;
    let status = response.status();
    if status.is_success() { Ok(body) } else { Err(format!("it answered {status}: {}", body.trim())) }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use super::*;

    fn fetched(response: &'static str, path: &str) -> (Result<String, String>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}{path}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let asked = BufReader::new(stream.try_clone().unwrap()).lines().next().unwrap().unwrap();
            stream.write_all(response.as_bytes()).unwrap();
            asked
        });
        let got = get(&url, Duration::from_secs(5));
        (got, server.join().unwrap())
    }

    #[test]
    fn a_server_responds() {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        let (got, asked) = fetched(whole, "/agui/manifest.json?x=1#y");
        assert_eq!((got, asked.as_str()), (Ok("{}".into()), "GET /agui/manifest.json?x=1 HTTP/1.1"));
    }

    #[test]
    fn a_server_does_not_respond() {
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 12\r\n\r\nno such page";
        assert_eq!(fetched(missing, "/").0, Err("it answered 404 Not Found: no such page".into()));
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{";
        assert!(fetched(cut, "/").0.is_err());
        assert!(fetched("hello", "/").0.is_err());
        assert!(get("http://127.0.0.1:1/", Duration::from_secs(1)).is_err());
    }
}
