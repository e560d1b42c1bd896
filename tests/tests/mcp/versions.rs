//! The versions of the protocol that the two sides agree on.

use std::borrow::Cow;

use agui_runtime::mcp::{McpClient, McpServer};
use rmcp::model::{DiscoverRequestMethod, DiscoverResult, ProtocolVersion, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{ClientLifecycleMode, ErrorData, RoleServer, ServerHandler};

use crate::shop::{Shop, Waiting};
use crate::wired::{block_on, our_client, rmcp_client};

fn shop() -> McpServer {
    McpServer::new(Shop::new(Waiting::default()))
}

#[test]
fn a_client_with_a_handshake_and_one_without_get_their_versions() {
    block_on(async {
        let handshake = rmcp_client(shop(), ClientLifecycleMode::Initialize).await;
        assert_eq!(handshake.peer_info().unwrap().protocol_version, ProtocolVersion::V_2025_11_25);
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        let modern = rmcp_client(shop(), ClientLifecycleMode::Discover { preferred_versions }).await;
        let info = modern.peer_info().unwrap();
        assert_eq!(info.protocol_version, ProtocolVersion::V_2026_07_28);
        let server = info.server_info.clone().unwrap();
        assert_eq!((server.name.as_str(), server.version.as_str()), ("shop", env!("CARGO_PKG_VERSION")));
        assert_eq!(server.description.as_deref(), Some("Sells things."));
    });
}

#[test]
fn our_client_and_our_server_speak_the_newest() {
    block_on(async {
        let (here, there) = tokio::io::duplex(4096);
        tokio::spawn(shop().serve(there));
        let client = McpClient::connect("shop", here).await.unwrap();
        assert_eq!(client.protocol_version(), "2026-07-28");
        assert_eq!(client.tools().await.unwrap().len(), 14);
    });
}

/// A server that does not know the newest version.
struct Older {
    /// True if it knows only the handshake.
    needs_handshake: bool,
}

impl ServerHandler for Older {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        vec![ProtocolVersion::V_2025_11_25].into()
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        if self.needs_handshake {
            return Err(ErrorData::method_not_found::<DiscoverRequestMethod>());
        }
        Ok(DiscoverResult::from_server_info(vec![ProtocolVersion::V_2025_11_25], self.get_info()))
    }
}

#[test]
fn our_client_speaks_the_version_of_an_older_server() {
    block_on(async {
        for needs_handshake in [true, false] {
            let client = our_client(Older { needs_handshake }).await;
            assert_eq!(client.protocol_version(), "2025-11-25");
            assert!(client.tools().await.unwrap().is_empty());
        }
    });
}
