//! `OLLAMA_HOST`, as Ollama itself reads the variable (`envconfig.Host`).

use std::net::IpAddr;

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::provider::ModelAddressError;

use super::address::ProviderAddress;

/// The path at which Ollama serves OpenAI's protocol.
const PATH: &str = "v1";

/// Returns the address that `OLLAMA_HOST` names. The variable also configures the Ollama server's listener, so the value may name
/// all addresses on a machine: a client then uses the loopback address.
pub(super) fn parse_host(variable: &str) -> Result<ProviderAddress, ModelAddressError> {
    let text = variable.trim().trim_matches(['"', '\'']).trim();
    let (scheme, rest, default) = match text.split_once("://") {
        None if text == "ollama.com" => ("https", text, "443"),
        None => ("http", text, "11434"),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (scheme, rest, "443"),
        Some((scheme, rest)) => (scheme, rest, "80"),
    };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    // Ollama knows no user information; a proxy in front of one may ask for it.
    let (user, authority) = match authority.rsplit_once('@') {
        Some((user, authority)) => (format!("{user}@"), authority),
        None => (String::new(), authority),
    };
    let (host, port) = split(authority);
    let port = match port.map(str::parse::<u16>) {
        None => default.to_owned(),
        Some(Ok(port)) => port.to_string(),
        Some(Err(_)) => {
            tracing::warn!(port = %quoted(port.unwrap_or_default()), default, "OLLAMA_HOST has no port that can be used");
            default.to_owned()
        }
    };
    let host = connectable(host);
    let text = format!("{scheme}://{user}{host}:{port}/{path}");
    let address = ProviderAddress::parse(&text)?;
    ProviderAddress::parse(address.endpoint(PATH).as_str())
}

/// Splits an authority into host and port text. IPv6 addresses contain colons too.
fn split(authority: &str) -> (&str, Option<&str>) {
    if authority.parse::<IpAddr>().is_ok() {
        return (authority, None);
    }
    match authority.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// Returns the host to which a client connects.
fn connectable(host: &str) -> String {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) if address.is_unspecified() => "127.0.0.1".to_owned(),
        Ok(IpAddr::V6(address)) if address.is_unspecified() => "[::1]".to_owned(),
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) if host.is_empty() => "127.0.0.1".to_owned(),
        Err(_) => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows from Ollama's own test, `envconfig/config_test.go`, as addresses that a client can connect to.
    #[test]
    fn the_variable_is_read_as_ollama_reads_it() {
        for (variable, expected) in [
            ("", "http://127.0.0.1:11434/v1"),
            ("1.2.3.4", "http://1.2.3.4:11434/v1"),
            (":1234", "http://127.0.0.1:1234/v1"),
            ("1.2.3.4:1234", "http://1.2.3.4:1234/v1"),
            ("example.com", "http://example.com:11434/v1"),
            ("example.com:1234", "http://example.com:1234/v1"),
            (":66000", "http://127.0.0.1:11434/v1"),
            (":-1", "http://127.0.0.1:11434/v1"),
            ("example.com:", "http://example.com:11434/v1"),
            ("[::1]", "http://[::1]:11434/v1"),
            ("[::]", "http://[::1]:11434/v1"),
            ("::1", "http://[::1]:11434/v1"),
            ("::", "http://[::1]:11434/v1"),
            ("[::1]:1337", "http://[::1]:1337/v1"),
            ("[::]:1337", "http://[::1]:1337/v1"),
            ("0.0.0.0", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:1", "http://127.0.0.1:1/v1"),
            (" 1.2.3.4 ", "http://1.2.3.4:11434/v1"),
            ("\"1.2.3.4\"", "http://1.2.3.4:11434/v1"),
            (" \" 1.2.3.4 \" ", "http://1.2.3.4:11434/v1"),
            ("'1.2.3.4'", "http://1.2.3.4:11434/v1"),
            ("http://1.2.3.4", "http://1.2.3.4/v1"),
            ("http://1.2.3.4:4321", "http://1.2.3.4:4321/v1"),
            ("https://1.2.3.4", "https://1.2.3.4/v1"),
            ("https://1.2.3.4:4321", "https://1.2.3.4:4321/v1"),
            ("HTTPS://o.example.com/", "https://o.example.com/v1"),
            ("http://0.0.0.0:11434/", "http://127.0.0.1:11434/v1"),
            ("https://example.com/ollama", "https://example.com/ollama/v1"),
            ("https://example.com/ollama//", "https://example.com/ollama/v1"),
            ("example.com/ollama", "http://example.com:11434/ollama/v1"),
            ("http://example.com:11434/v1", "http://example.com:11434/v1"),
            ("http://example.com:11434/v1/", "http://example.com:11434/v1"),
            ("http://me:secret@example.com", "http://example.com/v1"),
            ("ollama.com", "https://ollama.com/v1"),
        ] {
            assert_eq!(parse_host(variable).unwrap().to_string(), expected, "{variable}");
        }
        let user = parse_host("http://me:secret@example.com").unwrap().endpoint("chat/completions");
        assert_eq!(user.as_str(), "http://me:secret@example.com/v1/chat/completions");
    }

    #[test]
    fn a_variable_that_no_client_can_use_is_an_error() {
        for (variable, expected) in [
            ("ftp://h", ModelAddressError::OtherScheme("ftp".to_owned())),
            (":0", ModelAddressError::NoPort),
            ("h ost", ModelAddressError::Whitespace),
            ("http://h#m", ModelAddressError::TwoModels),
        ] {
            assert_eq!(parse_host(variable).err(), Some(expected), "{variable}");
        }
    }
}
