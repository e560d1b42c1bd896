//! Types that serde alone can write: sent whole.

use quote::quote;

use super::super::model::StateModel;
use super::Parts;
use crate::krate::Private;

pub(super) fn expand(state: &StateModel<'_>, private: &Private) -> Parts {
    let _ = state;
    Parts {
        state: quote! {
            fn same(&self, now: &Self) -> ::core::primitive::bool {
                #[allow(unused_imports)]
                use #private::engine::opaque::{ViaEq as _, ViaText as _};
                let equal = (&#private::engine::opaque::Equal::<'_, Self>(self, now)).equal();
                #private::engine::opaque::same(self, now, equal, |value, out| out.serde(value))
            }
        },
        members: None,
    }
}
