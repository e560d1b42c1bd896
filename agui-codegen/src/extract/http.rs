//! A manifest from a server that is being developed: one `GET`, over HTTP as it is spoken on one machine.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

/// More than any manifest is.
const MOST: u64 = 256 * 1024 * 1024;

/// The body that `url` answers with.
///
/// # Errors
///
/// In words, what went wrong.
pub(super) fn get(url: &str, limit: Duration) -> Result<String, String> {
    let Some(rest) = url.strip_prefix("http://") else {
        return Err(
            "only `http://…` is read: save what it answers and give the file with `--manifest`".into()
        );
    };
    let rest = rest.split('#').next().unwrap_or(rest);
    let (authority, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let address = if has_port(host) { host.to_owned() } else { format!("{host}:80") };
    let said = |error: std::io::Error| format!("{address}: {error}");
    let mut answer = Err(format!("{address}: no such address"));
    for address in address.to_socket_addrs().map_err(said)? {
        answer = TcpStream::connect_timeout(&address, limit).map_err(said);
        if answer.is_ok() {
            break;
        }
    }
    let mut stream = answer?;
    stream.set_read_timeout(Some(limit)).map_err(said)?;
    stream.set_write_timeout(Some(limit)).map_err(said)?;
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nConnection: \
         close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).map_err(said)?;
    let mut bytes = Vec::new();
    stream.take(MOST).read_to_end(&mut bytes).map_err(said)?;
    body(&bytes)
}

fn has_port(host: &str) -> bool {
    // The colons of an address in brackets are none before a port.
    host.rsplit_once(':').is_some_and(|(_, port)| !port.contains(']') && !port.is_empty())
}

/// The body of a whole response.
fn body(bytes: &[u8]) -> Result<String, String> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").ok_or("the answer is no HTTP")?;
    let (head, rest) = bytes.split_at(end);
    let rest = rest.get(4..).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    let code = status.split(' ').nth(1).unwrap_or_default();
    let is_chunked = lines.any(|line| {
        let line = line.to_ascii_lowercase();
        line.starts_with("transfer-encoding:") && line.contains("chunked")
    });
    let body =
        if is_chunked { unchunked(rest).ok_or("the answer ends in the middle")? } else { rest.to_vec() };
    let body = String::from_utf8_lossy(&body).into_owned();
    if code == "200" { Ok(body) } else { Err(format!("it answered {}: {}", status.trim(), body.trim())) }
}

fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let size = std::str::from_utf8(rest.get(..end)?).ok()?;
        let size = usize::from_str_radix(size.split(';').next()?.trim(), 16).ok()?;
        rest = rest.get(end + 2..)?;
        if size == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size.checked_add(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpListener;

    use super::*;

    fn answered(answer: &'static str, path: &str) -> (Result<String, String>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}{path}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let asked = BufReader::new(stream.try_clone().unwrap()).lines().next().unwrap().unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            asked
        });
        let got = get(&url, Duration::from_secs(5));
        (got, server.join().unwrap())
    }

    #[test]
    fn a_server_answers() {
        let (got, asked) =
            answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "/agui/manifest.json?x=1#y");
        assert_eq!((got, asked.as_str()), (Ok("{}".into()), "GET /agui/manifest.json?x=1 HTTP/1.1"));
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\n\r\n";
        assert_eq!(answered(chunked, "").0, Ok("{\"a\":1}".into()));
    }

    #[test]
    fn a_server_does_not_answer() {
        let (got, _) = answered("HTTP/1.1 404 Not Found\r\n\r\nno such page", "/");
        assert_eq!(got, Err("it answered HTTP/1.1 404 Not Found: no such page".into()));
        let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{";
        assert_eq!(answered(cut, "/").0, Err("the answer ends in the middle".into()));
        assert_eq!(answered("hello", "/").0, Err("the answer is no HTTP".into()));
        assert!(get("https://example.com/", Duration::from_secs(1)).unwrap_err().contains("--manifest"));
        assert!(get("http://127.0.0.1:1/", Duration::from_secs(1)).unwrap_err().contains("127.0.0.1:1"));
    }
}
