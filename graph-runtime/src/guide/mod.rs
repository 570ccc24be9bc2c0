//! A guide, from the first function to the fast one. Each page is short, begins with a program, and stands alone; all code on it runs as a
//! test of this crate.
//!
//! | page | what it is about |
//! |---|---|
//! | [`first_function`] | a graph function, from the attribute to the numbers |
//! | [`tracing`] | what runs once, what runs at each call, and what makes a new graph |
//! | [`control_flow`] | `if`, `while`, `for` and `match` over tensors, and what may change in them |
//! | [`shapes`] | sizes that tracing knows, sizes that it doesn't, and sizes in types |
//! | [`state`] | variables, structs of tensors, arrays that grow |
//! | [`gradients`] | tapes, `grad` and its like, gradients of one's own |
//! | [`models`] | models, losses, optimizers and a loop of training |
//! | [`datasets`] | elements from memory, files and Rust code |
//! | [`watching`] | what a training writes for TensorBoard |
//! | [`debugging`] | how to look inside, and what errors say |
//! | [`speed`] | what costs time, and how to find out |
//! | [`devices`] | where tensors live |
//! | [`saving`] | functions, models and arrays in files |
//! | [`from_tensorflow`], [`from_pytorch`], [`from_jax`] | what you know, by its name here |
//! | [`recipes`] | small programs of many fields, each beside the numbers and the time of NumPy |
//!
//! Who likes to begin with a program clones the repository and runs `cargo run --release --example tour`.

macro_rules! pages {
    ($($name:ident)*) => { $(
        #[doc = include_str!(concat!(stringify!($name), ".md"))]
        pub mod $name {}
    )* };
}

pages! {
    first_function tracing control_flow shapes state gradients models datasets debugging speed devices saving
    from_tensorflow from_pytorch from_jax recipes
}

#[doc = include_str!("watching.md")]
#[doc = "\n"]
#[doc = include_str!("images/watching.md")]
pub mod watching {}
