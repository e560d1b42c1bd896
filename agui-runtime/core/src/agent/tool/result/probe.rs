//! Chooses the conversion for a tool's return value, by type.

use std::error::Error;
use std::marker::PhantomData;

use super::outcome::{
    FallibleReturn, InfallibleReturn, LoggedErrors, LoggedErrorsWithCauses, PublicErrors,
    PublicErrorsWithCauses,
};
use crate::agent::tool::PublicError;

/// Chooses the conversion for a tool's return value, through method resolution on a probe behind five references: among the
/// matching traits, the trait for the most references is found first.
///
/// | trait | function's return type | errors are |
/// |---|---|---|
/// | [`ViaPublicCauses`] | a `Result` with a [`PublicError`] that is a [`std::error::Error`] | sent to the model; their causes are logged |
/// | [`ViaPublicError`] | a `Result` with any other [`PublicError`] | sent to the model |
/// | [`ViaError`] | a `Result` with a [`std::error::Error`] | logged with their causes |
/// | [`ViaResult`] | any other `Result` | logged |
/// | [`ViaValue`] | any other type | none |
#[doc(hidden)]
#[derive(Debug)]
pub struct ReturnProbe<R>(#[doc(hidden)] pub PhantomData<fn() -> R>);

#[doc(hidden)]
pub trait ViaPublicCauses {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E: PublicError + Error> ViaPublicCauses for &&&&ReturnProbe<Result<T, E>> {
    type Kind = FallibleReturn<T, E, PublicErrorsWithCauses>;

    fn kind(&self) -> Self::Kind {
        FallibleReturn(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaPublicError {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E: PublicError> ViaPublicError for &&&ReturnProbe<Result<T, E>> {
    type Kind = FallibleReturn<T, E, PublicErrors>;

    fn kind(&self) -> Self::Kind {
        FallibleReturn(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaError {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E: Error + 'static> ViaError for &&ReturnProbe<Result<T, E>> {
    type Kind = FallibleReturn<T, E, LoggedErrorsWithCauses>;

    fn kind(&self) -> Self::Kind {
        FallibleReturn(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaResult {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T, E> ViaResult for &ReturnProbe<Result<T, E>> {
    type Kind = FallibleReturn<T, E, LoggedErrors>;

    fn kind(&self) -> Self::Kind {
        FallibleReturn(PhantomData)
    }
}

#[doc(hidden)]
pub trait ViaValue {
    type Kind;
    fn kind(&self) -> Self::Kind;
}

impl<T> ViaValue for ReturnProbe<T> {
    type Kind = InfallibleReturn<T>;

    fn kind(&self) -> Self::Kind {
        InfallibleReturn(PhantomData)
    }
}
