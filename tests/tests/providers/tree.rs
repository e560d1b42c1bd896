//! The dependencies that come with the providers.

use std::process::Command;

use agui_tests::outside::workspace_dir;

/// A second cryptography compiles C for 20 seconds, and ring is there for TLS already.
#[test]
fn neither_a_second_cryptography_nor_telemetry_comes_with_the_providers() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args([
            "tree",
            "-p",
            "agui-runtime",
            "--features",
            "client,providers,server",
            "-e",
            "normal,build",
            "--prefix",
            "none",
        ])
        .arg("--offline")
        .current_dir(workspace_dir())
        .output()
        .unwrap();
    let tree = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(tree.contains("reqwest v") && tree.contains("ring v"), "{tree}");
    for unwanted in
        ["aws-lc", "native-tls", "openssl v", "openssl-sys", "opentelemetry", "tracing-opentelemetry"]
    {
        let found: Vec<_> = tree.lines().filter(|line| line.starts_with(unwanted)).collect();
        assert!(found.is_empty(), "{found:?}");
    }
}
