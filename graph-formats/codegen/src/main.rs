//! Writes the generated files of `graph-formats`.

use graph_formats_codegen::{FILES, folder, generate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (proto, path) in FILES {
        std::fs::write(folder().join(path), generate(proto)?)?;
    }
    Ok(())
}
