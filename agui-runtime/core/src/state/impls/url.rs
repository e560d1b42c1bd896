//! Crate url: addresses, as text.

use url::Url;

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken};
use super::MapKey;

#[diagnostic::do_not_recommend]
impl StateNode for Url {
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut JsonOut) {
        out.str(self.as_str());
    }

    fn floor(&self) -> usize {
        self.as_str().len() + 2
    }

    fn token(&self, token: &mut ValueToken) {
        token.bytes(self.as_str().as_bytes());
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for Url {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn addresses_are_values_and_keys() {
        let [one, other] =
            ["https://example.com/a?b=\"~", "data:text/plain,x"].map(|address| Url::parse(address).unwrap());
        check(&one, &other);
        let patch = check(&BTreeMap::<Url, u8>::new(), &BTreeMap::from([(one, 1), (other, 2)]));
        assert!(patch.contains("https:"), "{patch}");
    }
}
