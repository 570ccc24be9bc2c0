//! Values that go to a device and come back.

use graph_kernels::{Array, DType};

use crate::compare::same;
use crate::graphs::Random;
use crate::{Report, Suite};

/// Shapes with no axis and with many, with one element, none, and more than a kernel handles at once.
const SHAPES: &[&[usize]] = &[
    &[],
    &[1],
    &[0],
    &[3, 0, 2],
    &[5],
    &[2, 3],
    &[1, 2, 1, 3, 1, 2],
    &[70_001],
];

impl Suite {
    /// Whether the device can hold values of a dtype. What it can't hold stays on the host.
    pub(crate) fn holds(&self, dtype: DType) -> bool {
        let there = self.device.bring(&Array::zeros(dtype, &[1]).into());
        there.is_ok_and(|there| there.device() == self.device)
    }
}

pub(crate) fn check(suite: &Suite, report: &mut Report) {
    let mut random = Random::new(0);
    for dtype in DType::ALL {
        let is_held = suite.holds(dtype);
        if !is_held && dtype != DType::Str {
            report.left(
                dtype.name(),
                "the device doesn't hold values of this dtype".to_owned(),
            );
        }
        for shape in SHAPES {
            let array = random.array_of(dtype, shape);
            let what = format!("a value {dtype}{shape:?}");
            report.add(&what, there_and_back(suite, &array, is_held));
        }
    }
}

fn there_and_back(suite: &Suite, array: &Array, is_held: bool) -> Result<(), String> {
    let device = suite.device;
    let there = device.bring(&array.clone().into());
    let there = there.map_err(|error| format!("it isn't brought: {error}"))?;
    if is_held && there.device() != device {
        return Err(format!("it is on {}", there.device()));
    }
    if (there.dtype(), there.shape()) != (array.dtype(), array.shape()) {
        return Err(format!("there it is {}", there.ty()));
    }
    let again = device.bring(&there).map_err(|error| error.to_string())?;
    if again.address() != there.address() {
        return Err("it is copied although it is there".to_owned());
    }
    let back = there.to_host().map_err(|error| error.to_string())?;
    same(array, &back)
}
