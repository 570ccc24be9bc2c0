//! Tests the worker from outside, by requests, replies and files. `session` tests the protocol. The other files compare the results of each
//! workload, on small inputs, with the same computation written as plain loops in `f64`.

mod calls;
mod case;
mod dense;
mod loops;
mod recurrent;
mod rows;
mod session;
