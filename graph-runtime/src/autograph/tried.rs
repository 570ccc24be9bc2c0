//! `?` in a function whose result type may be neither `Result` nor `Option`: the message is about the function, not about the closure that its body
//! becomes.

use std::ops::ControlFlow;
use std::task::Poll;

/// Result types of functions in which `?` can be applied to an `E`.
#[diagnostic::on_unimplemented(
    message = "`?` needs a function that returns a `Result` or an `Option`: this one returns `{Self}`",
    label = "there is nothing to return here",
    note = "match on the value, or write `.unwrap()`: in a branch that a tensor decides about, that fails when the branch runs"
)]
pub trait AllowsTry<E>: Sized {
    /// The value behind the `?`.
    type Output;
    /// The value behind the `?`, or else what the function returns.
    fn tried(value: E) -> ControlFlow<Self, Self::Output>;
}

macro_rules! allows_try {
    ($([$($generic:tt)*] $given:ty => $result:ty, $output:ty {
        $($pattern:pat => $outcome:ident($value:expr),)*
    })*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generic)*> AllowsTry<$given> for $result {
            type Output = $output;
            #[inline(always)]
            fn tried(value: $given) -> ControlFlow<Self, $output> {
                match value {
                    $($pattern => ControlFlow::$outcome($value),)*
                }
            }
        }
    )* };
}
allows_try! {
    [T, U, E, F: From<E>] Result<U, E> => Result<T, F>, U {
        Ok(value) => Continue(value),
        Err(error) => Break(Err(F::from(error))),
    }
    [T, U, E, F: From<E>] Poll<Result<U, E>> => Result<T, F>, Poll<U> {
        Poll::Pending => Continue(Poll::Pending),
        Poll::Ready(Ok(value)) => Continue(Poll::Ready(value)),
        Poll::Ready(Err(error)) => Break(Err(F::from(error))),
    }
    [T, U] Option<U> => Option<T>, U {
        Some(value) => Continue(value),
        None => Break(None),
    }
    [T, U, E, F: From<E>] Result<U, E> => Poll<Result<T, F>>, U {
        Ok(value) => Continue(value),
        Err(error) => Break(Poll::Ready(Err(F::from(error)))),
    }
    [T, U, E, F: From<E>] Poll<Result<U, E>> => Poll<Result<T, F>>, Poll<U> {
        Poll::Pending => Continue(Poll::Pending),
        Poll::Ready(Ok(value)) => Continue(Poll::Ready(value)),
        Poll::Ready(Err(error)) => Break(Poll::Ready(Err(F::from(error)))),
    }
    [T, U, E, F: From<E>] Result<U, E> => Poll<Option<Result<T, F>>>, U {
        Ok(value) => Continue(value),
        Err(error) => Break(Poll::Ready(Some(Err(F::from(error))))),
    }
    [T, U, E, F: From<E>] Poll<Option<Result<U, E>>> => Poll<Option<Result<T, F>>>, Poll<Option<U>> {
        Poll::Pending => Continue(Poll::Pending),
        Poll::Ready(None) => Continue(Poll::Ready(None)),
        Poll::Ready(Some(Ok(value))) => Continue(Poll::Ready(Some(value))),
        Poll::Ready(Some(Err(error))) => Break(Poll::Ready(Some(Err(F::from(error))))),
    }
    [T, U, B] ControlFlow<B, U> => ControlFlow<B, T>, U {
        ControlFlow::Continue(value) => Continue(value),
        ControlFlow::Break(broken) => Break(ControlFlow::Break(broken)),
    }
}

/// The value behind the `?`, or else what a function with the result type `R` returns.
#[inline(always)]
pub fn tried<R: AllowsTry<E>, E>(value: E) -> ControlFlow<R, R::Output> {
    R::tried(value)
}
