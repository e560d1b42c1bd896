//! Types that serde alone can write: sent whole.

use quote::quote;

use super::StateParts;
use crate::krate::PrivatePath;

pub(super) fn expand(private: &PrivatePath) -> StateParts {
    StateParts {
        state: quote! {
            fn same(&self, now: &Self) -> ::core::primitive::bool {
                let equal = (&#private::engine::opaque::EqualityProbe::<'_, Self>(self, now)).equal();
                #private::engine::opaque::same(self, now, equal, |value, out| out.serde(value))
            }

            fn is_null(&self) -> ::core::primitive::bool { #private::engine::opaque::is_null(self) }
        },
        members: None,
    }
}
