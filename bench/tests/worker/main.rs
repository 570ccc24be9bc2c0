//! The worker from outside: requests in, replies and files out. `session` is about the protocol; the other files check
//! what each workload gives, on small inputs, against the same computation written with plain loops in `f64`.

mod calls;
mod case;
mod dense;
mod loops;
mod recurrent;
mod rows;
mod session;
