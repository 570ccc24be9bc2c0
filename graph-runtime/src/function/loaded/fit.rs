//! Which arguments fit the parameters of a loaded function. A struct or map in the signature may be given as such, or as a tuple of its parts:
//! the program that calls needn't have the types of the program that saved.

use graph_ir::function::Parameter;
use graph_ir::types::TypeSpec;

use crate::function::describe::no_cast;

/// Checks the arguments of a call: a tuple of them, or the only one. Plain values may be left out.
///
/// # Errors
/// Why they don't fit, in TensorFlow's words; the parameter is named.
pub(super) fn check(parameters: &[Parameter], given: &TypeSpec) -> Result<(), String> {
    let open: Vec<&Parameter> = parameters.iter().filter(|p| !p.spec.is_literal()).collect();
    let items: Vec<&TypeSpec> = match given {
        TypeSpec::Tuple(items) if !is_one_argument(&open, items.len()) => items.iter().collect(),
        TypeSpec::Literal(unit) if unit == "()" => Vec::new(),
        one => vec![one],
    };
    let bound: Vec<&Parameter> = match items.len() == parameters.len() {
        true => parameters.iter().collect(),
        false => open,
    };
    for (parameter, item) in bound.iter().zip(&items) {
        fits(&parameter.spec, item, &parameter.name)?;
    }
    if items.len() > bound.len() {
        return Err("`too many positional arguments`".to_owned());
    }
    match bound.get(items.len()) {
        Some(missing) => Err(format!("`missing a required argument: '{}'`", missing.name)),
        None => Ok(()),
    }
}

/// Whether a tuple of this length is the argument for the only open parameter.
fn is_one_argument(open: &[&Parameter], length: usize) -> bool {
    match open {
        [only] => length != 1 && only.spec.parts().is_some(),
        _ => false,
    }
}

fn fits(wanted: &TypeSpec, given: &TypeSpec, path: &str) -> Result<(), String> {
    let fit = match (wanted, given) {
        (TypeSpec::OfTensor(wanted), TypeSpec::OfTensor(given)) => wanted.covers(given),
        (wanted, given) => match (wanted.parts(), given.parts()) {
            (Some(wanted), Some(given)) => return parts_fit(&wanted, &given, path),
            _ => wanted == given,
        },
    };
    match fit {
        true => Ok(()),
        false => Err(no_cast(given, wanted, path)),
    }
}

/// Parts fit part by part. Names that both sides have must be equal; a tuple or list has none.
fn parts_fit(
    wanted: &[(String, &TypeSpec)],
    given: &[(String, &TypeSpec)],
    path: &str,
) -> Result<(), String> {
    let open: Vec<_> = wanted
        .iter()
        .filter(|(_, part)| !part.is_literal())
        .collect();
    let bound: Vec<_> = match given.len() == wanted.len() {
        true => wanted.iter().collect(),
        false => open,
    };
    if bound.len() != given.len() {
        return Err(format!(
            "`{} parts where there are {}` for parameter `{path}`",
            given.len(),
            bound.len()
        ));
    }
    let is_numbered = |(i, (name, _)): (usize, &(String, &TypeSpec))| *name == i.to_string();
    let by_position = given.iter().enumerate().all(is_numbered);
    for ((name, part), (given_name, given)) in bound.into_iter().zip(given) {
        if !by_position && name != given_name {
            return Err(format!(
                "`no part '{given_name}' at that position, but '{name}'` for parameter `{path}`"
            ));
        }
        fits(part, given, &format!("{path}.{name}"))?;
    }
    Ok(())
}
