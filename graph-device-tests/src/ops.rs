//! Each op of the op table, on random operands.

use graph_ir::device::Storage;
use graph_ir::ops;
use graph_ir::types::TensorType;
use graph_kernels::Array;

use crate::compare::{floats, near, same};
use crate::graphs::{self, Random, Use};
use crate::{Report, Suite};

/// How often operands are tried for an op. Few ops take so special ones that none are found.
const TRIES: usize = 4000;

pub(crate) fn check(suite: &Suite, report: &mut Report) {
    let mut random = Random::new(1);
    for op in ops::all() {
        // Uses that succeed, and one that fails.
        let mut left = [1, suite.uses];
        for _ in 0..TRIES {
            if left == [0, 0] {
                break;
            }
            let Some(used) = graphs::use_of(&mut random, op) else {
                continue;
            };
            let left = &mut left[usize::from(used.result.is_ok())];
            if *left > 0 && suite.compares(&used) {
                *left -= 1;
                compare(suite, report, &used);
            }
        }
    }
}

impl Suite {
    /// Whether every device must give the same for a use. Where numbers are combined in another order, infinities and numbers
    /// near zero may give another result. A type rule can't see that an attribute is of the wrong kind.
    fn compares(&self, used: &Use) -> bool {
        match &used.result {
            Err(error) => !error.to_string().contains("must be given as"),
            Ok(_) => self.exact || is_elementwise(used) || used.operands.iter().all(is_tame),
        }
    }
}

fn is_elementwise(used: &Use) -> bool {
    (used.op.element)(&used.attrs).is_some()
}

fn is_tame(array: &Array) -> bool {
    let is_tame = |x: f64| x == 0.0 || (1e-6..1e6).contains(&x.abs());
    floats(array).into_iter().all(is_tame)
}

fn compare(suite: &Suite, report: &mut Report, used: &Use) {
    let types: Vec<TensorType> = used.operands.iter().map(TensorType::of_array).collect();
    let backend = suite.device.backend();
    if let Some(reason) = backend.refuses(used.op, &used.attrs, &types) {
        report.left(used.op.name, reason);
    }
    let found = apply(suite, used);
    let found = match (&used.result, found) {
        (Err(_), Err(_)) => Ok(()),
        (Err(error), Ok(found)) => Err(format!("{found:?} instead of the error `{error}`")),
        (Ok(_), Err(error)) => Err(format!("the error `{error}`")),
        (Ok(expected), Ok(found)) if suite.exact => same(expected, &found),
        // The operands are below 10; of a few dozen, sums of products stay below this.
        (Ok(expected), Ok(found)) => {
            let scale = if is_elementwise(used) { 0.1 } else { 100.0 };
            near(expected, &found, scale)
        }
    };
    let types: Vec<String> = types.iter().map(TensorType::to_string).collect();
    let what = format!(
        "`{}` {:?} of {}",
        used.op.name,
        used.attrs,
        types.join(", ")
    );
    report.add(&what, found);
}

/// Applies the op on the device. A device may find a wrong operand only when the result is fetched.
fn apply(suite: &Suite, used: &Use) -> Result<Array, String> {
    let device = suite.device;
    let bring = |array: &Array| device.bring(&array.clone().into());
    let operands: Result<Vec<Storage>, _> = used.operands.iter().map(bring).collect();
    let operands = operands.map_err(|error| error.to_string())?;
    let operands: Vec<&Storage> = operands.iter().collect();
    let result = device.apply(used.op, &used.attrs, &operands)?;
    let place = result.device();
    if place != device && suite.holds(result.dtype()) {
        return Err(format!("the result is on {place}"));
    }
    let array = result.to_host().map_err(|error| error.to_string())?;
    Ok(Array::clone(&array))
}
