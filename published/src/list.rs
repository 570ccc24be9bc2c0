//! The list of crates.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Fault;

/// A published crate.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name in the registry.
    pub name: String,
    /// The exact version.
    pub version: String,
    /// The kind of its code, which is the reason why it is in the list.
    pub kind: String,
    /// The features to build it with, besides its default ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Test targets that can't run here, because they need files or tools that aren't published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "crate")]
    crates: Vec<Entry>,
}

/// The entries of a list, in its order.
pub fn read(path: &Path) -> Result<Vec<Entry>, Fault> {
    let text =
        std::fs::read_to_string(path).map_err(|e| format!("reading {}: {e}", path.display()))?;
    Ok(toml::from_str::<File>(&text)?.crates)
}
