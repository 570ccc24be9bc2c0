//! What a device leaves to the CPU. It is a line in the log, or, with `GRAPH_DEVICE_FALLBACK=error`, an error.

use std::fmt::Display;
use std::sync::OnceLock;

/// The environment variable that makes it an error.
const VARIABLE: &str = "GRAPH_DEVICE_FALLBACK";

/// Reports that the CPU does something for a device, with the reason.
///
/// # Errors
/// If the environment variable `GRAPH_DEVICE_FALLBACK` is `error`, or has another value than that and `allow`.
pub fn left_to_cpu(
    what: impl Display,
    device: impl Display,
    reason: impl Display,
) -> Result<(), String> {
    match policy()? {
        Policy::Allow => {
            log::debug!("{what} runs on the CPU and not on {device}: {reason}");
            Ok(())
        }
        Policy::Error => Err(format!(
            "{what} can't run on {device}: {reason} ({VARIABLE}=error)"
        )),
    }
}

/// Whether a device may leave something to the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Allow,
    Error,
}

impl Policy {
    fn named(name: Option<&str>) -> Result<Policy, String> {
        match name {
            None | Some("allow") => Ok(Policy::Allow),
            Some("error") => Ok(Policy::Error),
            Some(other) => Err(format!(
                "{VARIABLE}={other}: the values are `allow` and `error`"
            )),
        }
    }
}

/// What the environment says, which is looked up once.
fn policy() -> Result<Policy, String> {
    static NAMED: OnceLock<Result<Policy, String>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let value = std::env::var_os(VARIABLE);
        Policy::named(
            value
                .as_ref()
                .map(|value| value.to_string_lossy())
                .as_deref(),
        )
    });
    named.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_none_is_refused() {
        assert_eq!(Policy::named(None), Ok(Policy::Allow));
        assert_eq!(Policy::named(Some("error")), Ok(Policy::Error));
        assert_eq!(
            Policy::named(Some("fail")),
            Err("GRAPH_DEVICE_FALLBACK=fail: the values are `allow` and `error`".to_owned())
        );
    }
}
