//! Variables in graph functions, as users write them: what TensorFlow's documents say of reading, assigning, sharing and creating them.

mod as_tensors;
mod basics;
mod creation;
mod errors;
mod frozen;
mod parts;
mod sharing;
