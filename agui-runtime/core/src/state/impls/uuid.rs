//! Crate uuid: ids, as text.

use uuid::Uuid;

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken};
use super::MapKey;

#[diagnostic::do_not_recommend]
impl StateNode for Uuid {
    const MIN: usize = 2 + 36;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut JsonOut) {
        out.str(self.hyphenated().encode_lower(&mut Self::encode_buffer()));
    }

    fn token(&self, token: &mut ValueToken) {
        token.bytes(self.as_bytes());
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for Uuid {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn ids_are_values_and_keys() {
        let [one, other] = [Uuid::nil(), Uuid::from_u128(0xA0)];
        check(&one, &other);
        let patch = check(&BTreeMap::from([(one, 1)]), &BTreeMap::from([(one, 1), (other, 2)]));
        assert_eq!(patch, r#"[{"op":"add","path":"/00000000-0000-0000-0000-0000000000a0","value":2}]"#);
    }
}
