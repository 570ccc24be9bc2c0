//! Variables in graph functions, as users write them: what the documents say of reading, assigning, sharing and making them.

mod as_tensors;
mod basics;
mod creation;
mod errors;
mod frozen;
mod parts;
mod sharing;
