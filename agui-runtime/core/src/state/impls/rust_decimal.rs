//! Crate rust_decimal: exact decimal numbers, as text.

use rust_decimal::Decimal;

use super::super::StateNode;
use super::super::engine::opaque::same_written;
use super::MapKey;

#[diagnostic::do_not_recommend]
impl StateNode for Decimal {
    /// Equal numbers may have different texts: `1.0` and `1.00`.
    fn same(&self, now: &Self) -> bool {
        self.serialize() == now.serialize() || self == now && same_written(self, now)
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for Decimal {
    const EQUAL_WITH_OTHER_NAME: bool = true;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn numbers_are_values_and_keys() {
        let [one, other] = [Decimal::new(100, 2), Decimal::new(-25, 1)];
        check(&one, &other);
        assert_eq!(
            check(&BTreeMap::from([(one, 1)]), &BTreeMap::from([(one, 1), (other, 2)])),
            r#"[{"op":"add","path":"/-2.5","value":2}]"#
        );
        check(&Decimal::MAX, &Decimal::MIN);
        check(&Decimal::ZERO, &-Decimal::ZERO);
    }

    #[test]
    fn equal_numbers_may_have_two_texts() {
        let [short, long] = [Decimal::new(10, 1), Decimal::new(100, 2)];
        assert_eq!(short, long);
        check(&short, &long);
        assert_eq!(
            check(&BTreeMap::from([(short, 1)]), &BTreeMap::from([(long, 1)])),
            r#"[{"op":"move","from":"/1.0","path":"/1.00"}]"#
        );
        check(&BTreeMap::from([(short, 1), (-long, 1)]), &BTreeMap::from([(long, 2), (-long, 3)]));
    }
}
