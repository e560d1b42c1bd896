//! Network addresses, as text.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use super::super::StateNode;
use super::MapKey;
use super::foreign::opaque;

opaque!(IpAddr Ipv4Addr Ipv6Addr SocketAddrV4);

// The label of a flow is not written.
#[diagnostic::do_not_recommend]
impl StateNode for SocketAddr {}
#[diagnostic::do_not_recommend]
impl StateNode for SocketAddrV6 {}

#[diagnostic::do_not_recommend]
impl MapKey for IpAddr {}
#[diagnostic::do_not_recommend]
impl MapKey for Ipv4Addr {}
#[diagnostic::do_not_recommend]
impl MapKey for Ipv6Addr {}
#[diagnostic::do_not_recommend]
impl MapKey for SocketAddr {}
#[diagnostic::do_not_recommend]
impl MapKey for SocketAddrV4 {}
#[diagnostic::do_not_recommend]
impl MapKey for SocketAddrV6 {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn addresses_are_values_and_keys() {
        let [one, other] = ["::1", "10.0.0.1"].map(|text| text.parse::<IpAddr>().unwrap());
        check(&one, &other);
        assert_eq!(
            check(&BTreeMap::from([(one, 1)]), &BTreeMap::from([(one, 1), (other, 2)])),
            r#"[{"op":"add","path":"/10.0.0.1","value":2}]"#
        );
        let [one, other] = [(one, 80), (other, 80)].map(SocketAddr::from);
        check(&one, &other);
        check(&BTreeMap::<SocketAddr, u8>::new(), &BTreeMap::from([(one, 1), (other, 2)]));
    }

    #[test]
    fn scopes_that_are_not_written_do_not_count() {
        let [one, other] = [0, 7].map(|flow| SocketAddrV6::new(Ipv6Addr::LOCALHOST, 80, flow, 0));
        check(&one, &other);
    }
}
