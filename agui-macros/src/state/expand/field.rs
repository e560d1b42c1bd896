//! What is done with one field. `mine` and `now` are expressions for references to it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::super::model::{FieldModel, How};
use crate::krate::Private;
use crate::spelling::at;

impl FieldModel<'_> {
    /// The type as a state, blamed where it is written when it is none.
    fn state(&self, private: &Private) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(at(ty)=> <#ty as #private::State>)
    }

    fn members(&self, private: &Private) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(at(ty)=> <#ty as #private::engine::Members>)
    }

    /// How its JSON is written, as a function, when its type does not.
    fn writer(&self, private: &Private) -> Option<TokenStream> {
        let ty = self.ty;
        let write = match &self.how {
            How::State => return None,
            How::Serialize => quote_spanned!(at(ty)=> out.serde(value)),
            How::Function(function) => {
                quote_spanned!(at(function)=> out.serialize(|serializer| #function(value, serializer)))
            }
            How::Text => quote_spanned! { at(ty)=>
                out.serialize(|serializer| #private::serde::Serializer::collect_str(serializer, value))
            },
        };
        Some(quote!(|value: &#ty, out: &mut #private::engine::Out| #write))
    }

    fn equal(&self, mine: &TokenStream, now: &TokenStream, private: &Private) -> TokenStream {
        quote!({
            #[allow(unused_imports)]
            use #private::engine::opaque::{ViaEq as _, ViaText as _};
            (&#private::engine::opaque::Equal::<'_, _>(&*#mine, &*#now)).equal()
        })
    }

    /// Whether it is absent, of the value that the expression refers to.
    pub(super) fn is_absent(&self, value: &TokenStream) -> Option<TokenStream> {
        let absent = self.absent.as_ref()?;
        Some(quote_spanned!(at(absent)=> #absent(&*#value)))
    }

    pub(super) fn same(&self, mine: &TokenStream, now: &TokenStream, private: &Private) -> TokenStream {
        let same = match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::same(#mine, #now))
            }
            Some(writer) => {
                let equal = self.equal(mine, now, private);
                quote!(#private::engine::opaque::same(&*#mine, &*#now, #equal, #writer))
            }
        };
        match (self.is_absent(mine), self.is_absent(now)) {
            (Some(was), Some(is)) => {
                quote!(match (#was, #is) { (false, false) => #same, (was, is) => was == is })
            }
            _ => same,
        }
    }

    /// The value alone; whether it is there is asked before.
    pub(super) fn write(&self, value: &TokenStream, private: &Private) -> TokenStream {
        match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::write(#value, out);)
            }
            Some(writer) => {
                let ty = self.ty;
                quote!({ let write: #private::engine::opaque::Write<#ty> = #writer; write(#value, out); })
            }
        }
    }

    pub(super) fn write_members(&self, value: &TokenStream, private: &Private) -> TokenStream {
        let members = self.members(private);
        quote!(#members::write_members(#value, out);)
    }

    /// `place` is an expression for a reference to the path of the field.
    pub(super) fn sync(
        &self,
        mine: &TokenStream,
        now: &TokenStream,
        place: &TokenStream,
        private: &Private,
    ) -> TokenStream {
        let presence = self.is_absent(mine).zip(self.is_absent(now));
        match (self.writer(private), presence) {
            (None, None) => {
                let state = self.state(private);
                quote!(#state::sync(#mine, #now, #place, out);)
            }
            (None, Some((was, is))) => {
                let ty = self.ty;
                let sync = quote_spanned!(at(ty)=> #private::engine::presence::sync::<#ty>);
                quote!({ let absent = (#was, #is); #sync(#mine, #now, absent, #place, out); })
            }
            (Some(writer), None) => {
                let equal = self.equal(mine, now, private);
                quote!({
                    let equal = #equal;
                    #private::engine::opaque::sync(#mine, #now, equal, #writer, #place, out);
                })
            }
            (Some(writer), Some((was, is))) => {
                let equal = self.equal(mine, now, private);
                quote!({
                    let (absent, equal) = ((#was, #is), #equal);
                    #private::engine::presence::sync_opaque(#mine, #now, absent, equal, #writer, #place, out);
                })
            }
        }
    }

    /// Its members are the owner's, at the path `at`.
    pub(super) fn sync_members(
        &self,
        mine: &TokenStream,
        now: &TokenStream,
        private: &Private,
    ) -> TokenStream {
        match self.is_absent(mine).zip(self.is_absent(now)) {
            None => {
                let members = self.members(private);
                quote!(#members::sync_members(#mine, #now, at, out);)
            }
            Some((was, is)) => {
                let ty = self.ty;
                let sync = quote_spanned!(at(ty)=> #private::engine::presence::sync_members::<#ty>);
                quote!({ let absent = (#was, #is); #sync(#mine, #now, absent, at, out); })
            }
        }
    }

    pub(super) fn token(&self, value: &TokenStream, private: &Private) -> TokenStream {
        let token = match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::token(#value, token))
            }
            Some(writer) => quote!(#private::engine::opaque::token(&*#value, #writer, token)),
        };
        match self.is_absent(value) {
            Some(absent) => quote!(if #absent { token.null() } else { #token }),
            None => quote!(#token;),
        }
    }

    /// The length of the shortest text of the value.
    pub(super) fn min(&self, private: &Private) -> TokenStream {
        match self.how {
            How::State => {
                let state = self.state(private);
                quote!(#state::MIN)
            }
            How::Text => quote!(2),
            How::Serialize | How::Function(_) => quote!(1),
        }
    }

    /// A lower bound for the text of this value.
    pub(super) fn floor(&self, value: &TokenStream, private: &Private) -> TokenStream {
        match self.how {
            How::State => {
                let state = self.state(private);
                quote!(#state::floor(#value))
            }
            _ => self.min(private),
        }
    }
}
