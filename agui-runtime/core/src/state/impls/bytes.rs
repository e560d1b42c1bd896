//! Crate bytes: an array of numbers, sent whole when it changes.

use bytes::{Bytes, BytesMut};

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken};
use super::list;

macro_rules! bytes {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $ty {
            const MIN: usize = 2;

            fn same(&self, now: &Self) -> bool {
                self == now
            }

            fn write(&self, out: &mut JsonOut) {
                list::write(self.iter(), out);
            }

            fn floor(&self) -> usize {
                1 + (2 * self.len()).max(1)
            }

            fn token(&self, token: &mut ValueToken) {
                token.bytes(self);
            }
        }
    )*};
}

bytes!(Bytes BytesMut);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::check;

    #[test]
    fn bytes_are_sent_whole() {
        let [one, other] = [&b"\x00rice"[..], b"\xFF"].map(Bytes::from_static);
        assert_eq!(check(&one, &other), r#"[{"op":"add","path":"","value":[255]}]"#);
        check(&BytesMut::new(), &BytesMut::from(&other[..]));
        check(&other, &Bytes::new());
    }
}
