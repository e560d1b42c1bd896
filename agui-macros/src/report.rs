//! A collector for the mistakes in one macro call, so that all are reported at once.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. Must end in [`into_compile_errors`](Self::into_compile_errors): dropping a report with
/// unread mistakes would accept bad input in silence.
#[derive(Default)]
pub(crate) struct Report {
    errors: RefCell<Vec<syn::Error>>,
}

impl Report {
    /// Adds a mistake at these tokens. The message is one lower-case sentence: the problem, then what to write instead.
    pub(crate) fn error(&self, place: impl ToTokens, message: impl Display) {
        self.syn(syn::Error::new_spanned(place, message));
    }

    /// Adds a mistake at a place that has no tokens of its own left.
    pub(crate) fn error_at(&self, span: Span, message: impl Display) {
        self.syn(syn::Error::new(span, message));
    }

    pub(crate) fn syn(&self, error: syn::Error) {
        self.errors.borrow_mut().push(error);
    }

    /// Returns the value, or adds its error.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.syn(error)).ok()
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.borrow().is_empty()
    }

    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.errors.take().into_iter().map(syn::Error::into_compile_error).collect()
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        let unread = !self.errors.borrow().is_empty() && !std::thread::panicking();
        debug_assert!(!unread, "a report was dropped with mistakes that were not reported");
    }
}
