//! Programs that must compile and run: what a user expects to work, and what once did not. Each file is an independent program. It is a
//! module here, so that all of them are linked only once.

pub mod attributes {
    mod conditional_compilation;
    pub mod kept;
    mod no_warnings;
    mod visibility;
}
mod control_flow {
    mod collatz;
    mod deferred_in_one_rust_branch;
    mod deferred_initialization;
    mod every_way_out;
    mod first_function;
    mod loop_with_value;
    mod match_tensor;
    mod rust_values_stay_rust;
    mod short_circuit;
}
mod data {
    mod what_a_for_runs_over;
}
mod generics {
    mod const_parameter;
    mod float_literals;
    mod implied_bounds;
    mod lifetimes;
    mod type_parameter;
    mod where_clause;
}
mod methods {
    mod impl_block;
    mod mutable_reference;
    mod one_method;
    mod trait_impl;
}
mod nesting {
    mod calls;
    mod expands_from_macro;
    mod graph_function_inside;
    mod own_macros;
}
mod shapes {
    mod reshape_to;
}
mod values {
    mod containers;
    mod generic_struct_state;
    mod literals;
    mod not_clone;
    mod print_anything;
    mod results;
    mod struct_state;
}
