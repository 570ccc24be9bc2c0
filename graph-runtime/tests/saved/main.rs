//! Functions in files: programs that are saved and loaded compute the same, with the same gradients, in a program without the source.

mod first_written;
mod in_files;
mod kept;
mod programs;
mod refused;
