//! What the program is told.

use std::path::PathBuf;

use clap::Parser;

/// Trains a network on handwritten digits, all in one graph.
#[derive(Parser)]
pub struct Arguments {
    /// A folder with MNIST's IDX files; without it, the digits of the repository.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// How often each image is seen; 1 for MNIST and 40 for the digits of the repository if not given.
    #[arg(long)]
    pub epochs: Option<usize>,
    /// The seed of the first parameters and of the order of the images.
    #[arg(long, default_value_t = 1)]
    pub seed: i64,
    /// Where the model goes.
    #[arg(long, default_value = "target/mnist.safetensors")]
    pub model: PathBuf,
}
