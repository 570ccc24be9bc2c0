//! What users learn of a device besides its name.

use std::fmt;

/// The product, the memory and the abilities of a device, as [`Device::description`](super::Device::description) returns them. It prints as one
/// line.
///
/// ```
/// use graph_runtime::device::Device;
///
/// let description = Device::cpu().description();
/// assert_eq!(description.compute_capability, None);
/// println!("{description}"); // CPU, 16 threads, avx512
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The product's name, such as `NVIDIA H200`.
    pub product: String,
    /// The size in bytes of the memory that the device has of its own. The CPU uses the host's.
    pub memory: Option<u64>,
    /// The major and minor number of an NVIDIA GPU's compute capability.
    pub compute_capability: Option<(u32, u32)>,
}

impl Description {
    /// The description of a device of which only the product's name is known. The fields can be set.
    pub fn new(product: impl Into<String>) -> Description {
        Description {
            product: product.into(),
            ..Description::default()
        }
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.product)?;
        if let Some(bytes) = self.memory {
            write!(f, ", {:.1} GiB", bytes as f64 / (1u64 << 30) as f64)?;
        }
        if let Some((major, minor)) = self.compute_capability {
            write!(f, ", compute capability {major}.{minor}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_prints_what_is_known_on_one_line() {
        let mut description = Description::new("GPU");
        assert_eq!(description.to_string(), "GPU");
        description.memory = Some(3 << 29);
        description.compute_capability = Some((7, 5));
        assert_eq!(
            description.to_string(),
            "GPU, 1.5 GiB, compute capability 7.5"
        );
    }
}
