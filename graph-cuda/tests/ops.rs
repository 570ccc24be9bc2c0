//! Ops on an emulated driver: each gives the CPU's bits, from kernels of the GPU.

use std::sync::{Arc, Mutex, PoisonError};

use graph_cuda_fake::control;
use graph_kernels::{Padding, Window};
use graph_runtime::device::{Device, Storage};
use graph_runtime::graph::Shape;
use graph_runtime::ops::{self, Attr, Attrs, OpDef};
use graph_runtime::{Array, DType};

/// The counts of the emulated driver are those of all threads.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Keeps what the backend says about ops that it leaves to the CPU.
struct Refusals(Mutex<Vec<String>>);

static REFUSALS: Refusals = Refusals(Mutex::new(Vec::new()));

impl Refusals {
    /// What was said since the last call.
    fn taken(&self) -> Vec<String> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut said)
    }
}

impl log::Log for Refusals {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let said = record.args().to_string();
        if said.contains("runs on the CPU") {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(said);
        }
    }

    fn flush(&self) {}
}

/// The first GPU of the emulated driver.
fn gpu() -> Device {
    graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    match graph_cuda::device(0) {
        Ok(device) => device,
        Err(reason) => panic!("{reason}"),
    }
}

/// An op on operands that are too large to be computed by the CPU for their size.
struct Applied {
    op: &'static OpDef,
    attrs: Attrs,
    operands: Vec<Array>,
}

impl Applied {
    fn new(op: &'static OpDef, attrs: &[Attr], operands: Vec<Array>) -> Applied {
        let named = op.attrs.iter().zip(attrs);
        Applied {
            op,
            attrs: named.fold(Attrs::new(), |attrs, (name, attr)| {
                attrs.with(name, attr.clone())
            }),
            operands,
        }
    }

    fn on(&self, device: Device) -> Result<Array, String> {
        let storage = |x: &Array| {
            let x = Storage::Host(Arc::new(x.clone()));
            device.bring(&x).map_err(|error| error.to_string())
        };
        let operands: Result<Vec<Storage>, String> = self.operands.iter().map(storage).collect();
        let operands = operands?;
        let operands: Vec<&Storage> = operands.iter().collect();
        let result = device.apply(self.op, &self.attrs, &operands)?;
        let array = result.to_host().map_err(|error| error.to_string())?;
        Ok(Array::clone(&array))
    }

    /// The results of the CPU and of the GPU, which has launched kernels.
    fn on_both(&self) -> [Result<Array, String>; 2] {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = self.on(Device::cpu());
        let device = gpu();
        let _ = log::set_logger(&REFUSALS);
        log::set_max_level(log::LevelFilter::Debug);
        control::reset_counts();
        REFUSALS.taken();
        let found = self.on(device);
        assert_eq!(REFUSALS.taken(), [""; 0], "{:?}", self.attrs);
        let launches = control::counts().launches;
        assert!(launches > 0, "`{}` has launched nothing", self.op.name);
        [expected, found]
    }

    /// Checks that both give the same bits.
    fn gives_the_same(&self) {
        let [expected, found] = self.on_both().map(Result::unwrap);
        let (op, what) = (self.op.name, &self.attrs);
        assert_eq!(expected.dtype(), found.dtype(), "{op} {what:?}");
        assert_eq!(expected.shape(), found.shape(), "{op} {what:?}");
        assert!(
            expected.bytes() == found.bytes(),
            "{op} {what:?}\n{expected:?}\n{found:?}"
        );
    }

    /// Checks that both find the same fault.
    fn fails_the_same(&self) {
        let [expected, found] = self.on_both().map(Result::unwrap_err);
        assert_eq!(expected, found, "{}", self.op.name);
    }
}

/// Numbers that repeat after a while, as an array of a shape.
fn numbers(shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * 37 + 11) % 101) as f32 * 0.37 - 15.0;
    Array::new(shape, (0..count).map(value).collect::<Vec<f32>>())
}

/// Positions below a limit, some of them the same.
fn positions(shape: &[usize], limit: usize) -> Array {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * i * 7 + i * 3) % limit) as i32;
    Array::new(shape, (0..count).map(value).collect::<Vec<i32>>())
}

fn cast(x: &Array, dtype: DType) -> Array {
    let mut out = Array::default();
    graph_kernels::cast(x, dtype, &mut out).unwrap();
    out
}

const DTYPES: [DType; 8] = [
    DType::F32,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I32,
    DType::I64,
    DType::I8,
    DType::U8,
];

fn ints(values: &[i64]) -> Attr {
    Attr::Ints(values.to_vec())
}

fn seed() -> Array {
    Array::new(&[2], vec![123i64, -7])
}

#[test]
fn random_integers_and_uniform_floats_are_the_cpus() {
    for count in [33, 1000, 5001] {
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
            let attrs = [ints(&[count]), Attr::DType(dtype)];
            Applied::new(&ops::STATELESS_UNIFORM, &attrs, vec![seed()]).gives_the_same();
        }
        for dtype in [DType::I32, DType::I64] {
            let attrs = [ints(&[count]), Attr::DType(dtype)];
            Applied::new(&ops::STATELESS_BITS, &attrs, vec![seed()]).gives_the_same();
        }
        let bounds = [
            [Array::new(&[], vec![-3]), Array::new(&[], vec![i32::MAX])],
            [
                Array::new(&[], vec![i64::MIN]),
                Array::new(&[], vec![i64::MAX]),
            ],
        ];
        for bounds in bounds {
            let operands = [vec![seed()], bounds.to_vec()].concat();
            let attrs = [ints(&[count])];
            Applied::new(&ops::STATELESS_INTEGERS, &attrs, operands).gives_the_same();
        }
    }
}

#[test]
fn bounds_without_a_number_between_them_are_a_fault() {
    let bounds = [5, 5].map(|bound| Array::new(&[], vec![bound]));
    let operands = [vec![seed()], bounds.to_vec()].concat();
    Applied::new(&ops::STATELESS_INTEGERS, &[ints(&[100])], operands).fails_the_same();
}

#[test]
fn normal_numbers_are_the_cpus_up_to_their_last_bits() {
    for (dtype, bound) in [(DType::F32, 2e-5), (DType::F64, 1e-12), (DType::F16, 4e-3)] {
        for op in [&ops::STATELESS_NORMAL, &ops::STATELESS_TRUNCATED_NORMAL] {
            let attrs = [ints(&[5001]), Attr::DType(dtype)];
            let results = Applied::new(op, &attrs, vec![seed()]).on_both();
            let [expected, found] = results.map(|x| cast(&x.unwrap(), DType::F64));
            let pairs = expected.values::<f64>().unwrap().iter();
            for (expected, found) in pairs.zip(found.values::<f64>().unwrap()) {
                assert!((expected - found).abs() <= bound, "{expected} {found}");
            }
        }
    }
}

const SCATTERS: [&OpDef; 5] = [
    &ops::SCATTER_UPDATE,
    &ops::SCATTER_ADD,
    &ops::SCATTER_SUB,
    &ops::SCATTER_MIN,
    &ops::SCATTER_MAX,
];

#[test]
fn updates_of_one_element_are_applied_in_their_order() {
    for op in SCATTERS {
        for dtype in DTYPES {
            let operands = vec![
                cast(&numbers(&[13, 5, 3]), dtype),
                positions(&[70, 1], 13),
                cast(&numbers(&[70, 5, 3]), dtype),
            ];
            Applied::new(op, &[], operands).gives_the_same();
        }
        let pairs = Array::new(&[2, 20, 2], {
            let pair = |i: i64| [(i * 5) % 13, (i * i) % 5];
            (0..40).flat_map(pair).collect::<Vec<i64>>()
        });
        let operands = vec![numbers(&[13, 5, 3]), pairs, numbers(&[2, 20, 3])];
        Applied::new(op, &[], operands).gives_the_same();
        let operands = vec![numbers(&[40]), positions(&[6000, 1], 40), numbers(&[6000])];
        Applied::new(op, &[], operands).gives_the_same();
    }
}

#[test]
fn positions_outside_of_a_tensor_are_faults() {
    for position in [-1, 13] {
        let indices = Array::new(&[2, 1], vec![3, position]);
        let operands = vec![numbers(&[13, 5]), indices, numbers(&[2, 5])];
        Applied::new(&ops::SCATTER_ADD, &[], operands).fails_the_same();
        let indices = Array::new(&[2], vec![3, position]);
        let operands = vec![numbers(&[13, 5]), numbers(&[2, 5]), indices];
        let attrs = [Attr::Int(0), Attr::Int(0)];
        Applied::new(&ops::GATHER_ADD, &attrs, operands).fails_the_same();
    }
    let ids = Array::new(&[20], vec![7; 20]);
    let operands = vec![numbers(&[20, 5]), ids];
    Applied::new(&ops::UNSORTED_SEGMENT_SUM, &[Attr::Int(7)], operands).fails_the_same();
}

#[test]
fn gradients_of_lookups_are_the_cpus() {
    for (axis, batch, indices, part) in [
        (0, 0, &[50][..], &[50, 9, 4][..]),
        (1, 0, &[3, 7], &[6, 3, 7, 4]),
        (1, 1, &[6, 30], &[6, 30, 4]),
        (2, 1, &[6, 30], &[6, 9, 30]),
    ] {
        let limit = [6, 9, 4][axis as usize];
        let operands = vec![
            numbers(&[6, 9, 4]),
            numbers(part),
            positions(indices, limit),
        ];
        let attrs = [Attr::Int(axis), Attr::Int(batch)];
        Applied::new(&ops::GATHER_ADD, &attrs, operands).gives_the_same();
    }
    for (axis, indices) in [(0, [30, 9]), (1, [6, 30]), (1, [1, 30])] {
        let operands = vec![
            numbers(&[6, 9]),
            positions(&indices, [6, 9][axis as usize]),
            numbers(&if axis == 0 { [30, 9] } else { [6, 30] }),
        ];
        Applied::new(&ops::ADD_ALONG_AXIS, &[Attr::Int(axis)], operands).gives_the_same();
    }
    let scalar = |at: i32| Array::new(&[], vec![at]);
    let operands = vec![numbers(&[6, 9, 4]), numbers(&[4]), scalar(5), scalar(-2)];
    Applied::new(&ops::INDEX_ADD, &[], operands).gives_the_same();
}

#[test]
fn segments_are_reduced_in_the_order_of_their_rows() {
    let sorted = [
        &ops::SEGMENT_SUM,
        &ops::SEGMENT_PROD,
        &ops::SEGMENT_MAX,
        &ops::SEGMENT_MIN,
        &ops::SEGMENT_MEAN,
    ];
    let unsorted = [
        &ops::UNSORTED_SEGMENT_SUM,
        &ops::UNSORTED_SEGMENT_PROD,
        &ops::UNSORTED_SEGMENT_MAX,
        &ops::UNSORTED_SEGMENT_MIN,
        &ops::UNSORTED_SEGMENT_MEAN,
    ];
    let ids: Vec<i32> = (0..40).map(|i| i / 3 + i / 20).collect();
    let other: Vec<i64> = (0..40).map(|i| (i * i * 5) % 9 - 1).collect();
    for dtype in DTYPES {
        let x = cast(&numbers(&[40, 6]), dtype);
        for (sorted, unsorted) in sorted.into_iter().zip(unsorted) {
            if dtype.is_integer() && sorted.name == "segment_mean" {
                continue;
            }
            let ids = Array::new(&[40], ids.clone());
            Applied::new(sorted, &[], vec![x.clone(), ids]).gives_the_same();
            let ids = Array::new(&[40], other.clone());
            let operands = vec![x.clone(), ids];
            Applied::new(unsorted, &[Attr::Int(11)], operands).gives_the_same();
        }
    }
}

#[test]
fn numbers_are_counted() {
    for (min, max) in [(0, -1), (30, -1), (0, 5), (12, 12)] {
        let attrs = [Attr::Int(min), Attr::Int(max)];
        let x = positions(&[10, 30], 17);
        Applied::new(&ops::BINCOUNT, &attrs, vec![x.clone()]).gives_the_same();
        let operands = vec![x, numbers(&[10, 30])];
        Applied::new(&ops::WEIGHTED_BINCOUNT, &attrs, operands).gives_the_same();
    }
    let attrs = [Attr::Int(12), Attr::Int(12)];
    let x = Array::new(&[30], vec![-1; 30]);
    Applied::new(&ops::BINCOUNT, &attrs, vec![x]).fails_the_same();
}

fn counts(values: &[usize]) -> Attr {
    ops::counts(values)
}

/// Checks that both give the same floats, up to the order of sums of this many products.
fn gives_about_the_same(applied: &Applied, terms: usize) {
    let [expected, found] = applied.on_both().map(Result::unwrap);
    let op = applied.op.name;
    assert_eq!(expected.dtype(), found.dtype(), "{op}");
    assert_eq!(expected.shape(), found.shape(), "{op}");
    let precision = match expected.dtype() {
        DType::F64 => 1e-15,
        DType::F32 => 1e-7,
        DType::F16 => 1e-3,
        DType::BF16 => 8e-3,
        _ => 0.0,
    };
    let [expected, found] = [expected, found].map(|x| cast(&x, DType::F64));
    let expected = expected.values::<f64>().unwrap();
    let largest = expected.iter().fold(0f64, |most, x| most.max(x.abs()));
    let bound = largest * precision * (terms as f64).sqrt() * 4.0;
    let pairs = expected.iter().zip(found.values::<f64>().unwrap());
    for (at, (expected, found)) in pairs.enumerate() {
        let near = (expected - found).abs() <= bound;
        assert!(near, "{op} {:?} {at}: {expected} {found}", applied.attrs);
    }
}

/// Windows with all that they can have: strides, dilations, and each padding.
fn all_windows() -> Vec<Window> {
    let paddings = [
        Padding::Valid,
        Padding::Same,
        Padding::Explicit([[1, 2], [2, 0]]),
    ];
    let steps = [([1, 1], [1, 1]), ([2, 3], [1, 1]), ([1, 2], [2, 1])];
    let of = |padding| {
        steps.map(|(strides, dilations)| Window {
            strides,
            dilations,
            padding,
        })
    };
    paddings.into_iter().flat_map(of).collect()
}

fn windowed(op: &'static OpDef, attrs: Attrs, window: Window, operands: Vec<Array>) -> Applied {
    Applied {
        op,
        attrs: ops::with_window(attrs, window),
        operands,
    }
}

fn sizes_of(shape: &[usize]) -> Array {
    Array::new(&[4], shape.iter().map(|size| *size as i64).collect())
}

#[test]
fn convolutions_and_their_gradients_are_the_cpus() {
    for window in all_windows() {
        for (channels, depth, filters) in [(3, 3, 5), (6, 2, 9), (4, 1, 8)] {
            // The groups differ in what is computed, and the dtypes don't.
            let dtypes = [DType::F32, DType::F64, DType::F16];
            for dtype in &dtypes[..if depth == channels { 3 } else { 1 }] {
                let dtype = *dtype;
                let images = [2, 7, 8, channels];
                let of_filter = [3, 2, depth, filters];
                let x = cast(&numbers(&images), dtype);
                let filter = cast(&numbers(&of_filter), dtype);
                let operands = vec![x.clone(), filter.clone()];
                let conv = windowed(&ops::CONV2D, Attrs::new(), window, operands);
                gives_about_the_same(&conv, 6 * depth);
                let result = conv.on(Device::cpu()).unwrap();
                let g = cast(&numbers(result.shape()), dtype);
                let operands = vec![sizes_of(&images), filter.clone(), g.clone()];
                let back = windowed(&ops::CONV2D_BACKPROP_INPUT, Attrs::new(), window, operands);
                gives_about_the_same(&back, 6 * filters);
                let operands = vec![x, sizes_of(&of_filter), g.clone()];
                let back = windowed(&ops::CONV2D_BACKPROP_FILTER, Attrs::new(), window, operands);
                gives_about_the_same(&back, 2 * 56);
                if depth == channels {
                    let attrs = Attrs::new().with("size", counts(&images[1..3]));
                    let operands = vec![g, filter];
                    let grown = windowed(&ops::CONV2D_TRANSPOSE, attrs, window, operands);
                    gives_about_the_same(&grown, 6 * filters);
                }
            }
        }
        let operands = vec![numbers(&[2, 7, 8, 4]), numbers(&[3, 2, 4, 2])];
        let conv = windowed(&ops::DEPTHWISE_CONV2D, Attrs::new(), window, operands);
        gives_about_the_same(&conv, 6);
    }
}

#[test]
fn poolings_and_their_gradients_are_the_cpus() {
    for window in all_windows() {
        let images = [2, 9, 11, 5];
        let size = || Attrs::new().with("size", counts(&[3, 3]));
        for dtype in [DType::F32, DType::F64, DType::F16, DType::I32, DType::U8] {
            let x = cast(&numbers(&images), dtype);
            let largest = windowed(&ops::MAX_POOL2D, size(), window, vec![x.clone()]);
            largest.gives_the_same();
            let result = largest.on(Device::cpu()).unwrap();
            let g = cast(&numbers(result.shape()), dtype);
            let operands = vec![x.clone(), g.clone()];
            let back = windowed(&ops::MAX_POOL2D_GRAD, size(), window, operands);
            gives_about_the_same(&back, 9);
            let operands = vec![x.clone(), cast(&numbers(&images), dtype)];
            let again = windowed(&ops::MAX_POOL2D_GRAD_GRAD, size(), window, operands);
            again.gives_the_same();
            if !dtype.is_integer() {
                let mean = windowed(&ops::AVG_POOL2D, size(), window, vec![x.clone()]);
                gives_about_the_same(&mean, 9);
                let operands = vec![sizes_of(&images), g.clone()];
                let back = windowed(&ops::AVG_POOL2D_GRAD, size(), window, operands);
                gives_about_the_same(&back, 9);
            }
        }
    }
}

#[test]
fn slices_are_taken_added_to_and_set() {
    let scalar = |at: i64| Array::new(&[], vec![at]);
    let vector = |at: &[i64]| Array::new(&[at.len()], at.to_vec());
    let x = || numbers(&[7, 6, 5]);
    let attrs = [
        ints(&[0, -1]),
        ints(&[-1, 1]),
        ints(&[0, 0]),
        ints(&[-2, 2]),
        ints(&[0, 2]),
    ];
    Applied::new(&ops::STRIDED_SLICE, &attrs, vec![x()]).gives_the_same();
    let operands = vec![x(), numbers(&[3, 6, 2])];
    Applied::new(&ops::STRIDED_SLICE_ADD, &attrs, operands).gives_the_same();
    let operands = vec![x(), vector(&[2, 0, 1])];
    Applied::new(&ops::SLICE, &[ints(&[3, -1, 4])], operands).gives_the_same();
    let operands = vec![x(), vector(&[2, 0, 1]), vector(&[-1, 5, 4])];
    Applied::new(&ops::SLICE_TO, &[], operands).gives_the_same();
    let operands = vec![x(), numbers(&[3, 5, 4]), vector(&[2, 0, 1])];
    Applied::new(&ops::SLICE_ADD, &[], operands).gives_the_same();
    for (bounds, mask, count) in [([1, 5, 2], 0, 2), ([-1, 0, -2], 3, 3), ([2, 0, 1], 2, 4)] {
        let attrs = [Attr::Int(1), Attr::Int(mask)];
        let bounds = bounds.map(scalar).to_vec();
        let operands = [vec![x()], bounds.clone()].concat();
        Applied::new(&ops::SLICE_AXIS, &attrs, operands).gives_the_same();
        let operands = [vec![x(), numbers(&[7, count, 5])], bounds].concat();
        Applied::new(&ops::SLICE_AXIS_ADD, &attrs, operands).gives_the_same();
    }
    let attrs = [ints(&[0, 2]), ints(&[4, 1])];
    let bounds = [-2, 0, 1, 0, 4, 2].map(scalar).to_vec();
    let operands = [vec![x(), numbers(&[6, 1])], bounds].concat();
    Applied::new(&ops::SET_PART, &attrs, operands).gives_the_same();
    for outside in [-1, 7] {
        let operands = vec![x(), vector(&[outside, 0, 1])];
        let applied = Applied::new(&ops::SLICE, &[ints(&[3, -1, 4])], operands);
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let message = applied.on(Device::cpu()).unwrap_err();
        assert_eq!(applied.on(gpu()).unwrap_err(), message);
    }
}

#[test]
fn arrangements_are_the_cpus() {
    let vector = |at: &[i64]| Array::new(&[at.len()], at.to_vec());
    for dtype in [DType::F32, DType::I8, DType::Bool, DType::F64] {
        let x = || cast(&numbers(&[7, 6, 5]), dtype);
        let operands = vec![x(), vector(&[2, -9, 1])];
        Applied::new(&ops::ROLL, &[ints(&[0, 2, 0])], operands).gives_the_same();
        let operands = vec![x(), vector(&[2, 0, 1, -4, 7, 1])];
        Applied::new(&ops::REPEAT_EACH, &[Attr::Int(1)], operands).gives_the_same();
        for (sequence, batch, lengths) in [(1, 0, &[6, 0, 1, 2, 3, 4, 5][..]), (0, -1, &[7; 5])] {
            let attrs = [Attr::Int(sequence), Attr::Int(batch)];
            let narrow: Vec<i32> = lengths.iter().map(|length| *length as i32).collect();
            for lengths in [vector(lengths), Array::new(&[narrow.len()], narrow)] {
                let operands = vec![x(), lengths];
                Applied::new(&ops::REVERSE_SEQUENCE, &attrs, operands).gives_the_same();
            }
        }
        for mode in ["reflect", "symmetric"] {
            let attrs = [
                Attr::Text(mode.to_owned()),
                ints(&[2, 0, 4]),
                ints(&[1, 3, 0]),
            ];
            Applied::new(&ops::MIRROR_PAD, &attrs, vec![x()]).gives_the_same();
        }
        let paddings = Array::new(&[3, 2], vec![1i64, 2, 0, 3, 2, 0]);
        let one = cast(&Array::new(&[], vec![1f32]), dtype);
        Applied::new(&ops::PAD_BY, &[], vec![x(), one, paddings]).gives_the_same();
        Applied::new(&ops::TILE_BY, &[], vec![x(), vector(&[2, 1, 3])]).gives_the_same();
        for diagonal in [0, 2, -3] {
            Applied::new(&ops::DIAG, &[Attr::Int(diagonal)], vec![x()]).gives_the_same();
            let length = [5, 3, 3][[0, 2, -3].iter().position(|d| *d == diagonal).unwrap()];
            let operands = vec![x(), cast(&numbers(&[7, length]), dtype)];
            Applied::new(&ops::SET_DIAG, &[Attr::Int(diagonal)], operands).gives_the_same();
        }
    }
    for wrong in [-1, 7] {
        let operands = vec![numbers(&[7, 6]), vector(&[1, 2, 3, 4, 5, 6, wrong])];
        let attrs = [Attr::Int(1), Attr::Int(0)];
        Applied::new(&ops::REVERSE_SEQUENCE, &attrs, operands).fails_the_same();
    }
}

#[test]
fn ranges_are_the_cpus() {
    for dtype in DTYPES {
        for [start, limit, delta] in [[1.0, 100.0, 3.0], [120.0, 3.0, -2.0]] {
            if dtype == DType::U8 && delta < 0.0 {
                continue;
            }
            let operands = [start, limit, delta];
            let operands = operands.map(|x| cast(&Array::new(&[], vec![x]), dtype));
            Applied::new(&ops::RANGE, &[], operands.to_vec()).gives_the_same();
        }
        if !dtype.is_integer() {
            let ends = [-1.5, 7.25].map(|x| cast(&Array::new(&[], vec![x]), dtype));
            let attrs = [Attr::Int(77)];
            Applied::new(&ops::LINSPACE, &attrs, ends.to_vec()).gives_the_same();
        }
    }
}

#[test]
fn sums_of_products_over_named_axes_are_the_cpus() {
    for (equation, shapes) in [
        ("ij,jk->ik", vec![vec![9, 7], vec![7, 11]]),
        ("ji,kj->ki", vec![vec![7, 9], vec![11, 7]]),
        ("bij,bjk->bki", vec![vec![3, 9, 7], vec![3, 7, 5]]),
        ("...ij,...jk->...ik", vec![vec![2, 1, 4, 7], vec![3, 7, 5]]),
        ("ii->i", vec![vec![40, 40]]),
        ("ijk->ki", vec![vec![4, 6, 5]]),
        ("i,j->ij", vec![vec![20], vec![30]]),
        ("ij,ij->", vec![vec![20, 5], vec![20, 5]]),
        ("ij,jk,kl->il", vec![vec![6, 7], vec![7, 8], vec![8, 5]]),
    ] {
        for dtype in [DType::F32, DType::F64, DType::I32] {
            let operands = shapes.iter().map(|shape| cast(&numbers(shape), dtype));
            let attrs = [Attr::Text(equation.to_owned())];
            let applied = Applied::new(&ops::EINSUM, &attrs, operands.collect());
            gives_about_the_same(&applied, 100);
        }
    }
    let operands = vec![numbers(&[4, 6, 5]), numbers(&[6, 3, 4])];
    let attrs = [ints(&[0, 1]), ints(&[2, 0])];
    gives_about_the_same(&Applied::new(&ops::TENSORDOT, &attrs, operands), 24);
}

/// Numbers with many equal ones, both zeros, infinities and NaN.
fn special(shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let all = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0];
    let value = |i: usize| match i % 3 {
        0 => all[i * i / 7 % all.len()],
        _ => (i * 29 % 53) as f32 - 20.0,
    };
    Array::new(shape, (0..count).map(value).collect::<Vec<f32>>())
}

#[test]
fn values_are_sorted_as_on_the_cpu() {
    let wide = |i: i64| i.wrapping_mul(0x1357_9BDF_2468_ACE1) >> (i % 3 * 16);
    let integers = Array::new(&[3, 50], (0..150).map(wide).collect::<Vec<i64>>());
    let wide = |i: u64| i.wrapping_mul(0x1357_9BDF_2468_ACE1) >> (i % 3 * 16);
    let unsigned = Array::new(&[3, 50], (0..150).map(wide).collect::<Vec<u64>>());
    let mut all = vec![integers, unsigned, special(&[1, 5000]), numbers(&[300, 1])];
    all.extend(DTYPES.map(|dtype| cast(&special(&[7, 33]), dtype)));
    for x in all {
        for axis in [0, 1] {
            for descending in [false, true] {
                let attrs = [Attr::Int(axis), Attr::Bool(descending)];
                Applied::new(&ops::SORT, &attrs, vec![x.clone()]).gives_the_same();
                Applied::new(&ops::ARGSORT, &attrs, vec![x.clone()]).gives_the_same();
            }
        }
        let k = x.shape()[1].min(5) as i64;
        Applied::new(&ops::TOP_K, &[Attr::Int(k)], vec![x]).gives_the_same();
    }
    let attrs = [Attr::Int(1), Attr::Bool(true)];
    Applied::new(&ops::SORT, &attrs, vec![numbers(&[4, 9, 5])]).gives_the_same();
}

#[test]
fn values_are_found_in_sorted_rows() {
    for dtype in DTYPES {
        let x = cast(&numbers(&[4, 33]), dtype);
        let mut sorted = Array::default();
        graph_kernels::sort(&x, 1, false, &mut sorted).unwrap();
        for right in [false, true] {
            let operands = vec![sorted.clone(), cast(&numbers(&[4, 20]), dtype)];
            let attrs = [Attr::Bool(right)];
            Applied::new(&ops::SEARCHSORTED, &attrs, operands).gives_the_same();
        }
    }
}

#[test]
fn permutations_are_inverted() {
    let of = |times: i64| (0..101).map(|i| i * times % 101).collect::<Vec<i64>>();
    let right = Array::new(&[101], of(17));
    let narrow = cast(&right, DType::I32);
    for x in [right.clone(), narrow] {
        Applied::new(&ops::INVERT_PERMUTATION, &[], vec![x]).gives_the_same();
    }
    for wrong in [0, 101, -1] {
        let mut values = of(17);
        values[50] = wrong;
        let x = Array::new(&[101], values);
        Applied::new(&ops::INVERT_PERMUTATION, &[], vec![x]).fails_the_same();
    }
}

#[test]
fn what_a_mask_chooses_is_the_cpus() {
    for dtype in [DType::F32, DType::I64, DType::Bool] {
        let x = cast(&special(&[5, 9, 3]), dtype);
        Applied::new(&ops::NONZERO, &[], vec![x]).gives_the_same();
    }
    for shape in [&[5][..], &[5, 9], &[5, 9, 3]] {
        let mask = cast(&positions(shape, 2), DType::Bool);
        Applied::new(&ops::BOOLEAN_MASK, &[], vec![numbers(&[5, 9, 3]), mask]).gives_the_same();
    }
    let none = Array::new(&[90], vec![false; 90]);
    Applied::new(&ops::BOOLEAN_MASK, &[], vec![numbers(&[90, 2]), none]).gives_the_same();
}

#[test]
fn lists_are_written_and_joined() {
    let shape = |dims: &[Option<usize>]| Attr::Shape(Shape::of(dims.iter().copied()));
    let size = Array::new(&[], vec![9]);
    let attrs = [Attr::DType(DType::F64), shape(&[None, Some(4)])];
    Applied::new(&ops::LIST_NEW, &attrs, vec![size]).gives_the_same();
    let list = || numbers(&[9, 4]);
    for grows in [false, true] {
        let operands = vec![list(), positions(&[12], 9), numbers(&[12, 4])];
        Applied::new(&ops::LIST_SCATTER, &[Attr::Bool(grows)], operands).gives_the_same();
    }
    let operands = vec![numbers(&[30]), numbers(&[7, 2])];
    Applied::new(&ops::LIST_EXTEND, &[], operands).gives_the_same();
    Applied::new(&ops::LIST_ADD, &[], vec![list(), list()]).gives_the_same();
    let attrs = [Attr::Bool(false)];
    let outside = Array::new(&[2], vec![3, 9]);
    let operands = vec![list(), outside, numbers(&[2, 4])];
    Applied::new(&ops::LIST_SCATTER, &attrs, operands).fails_the_same();
}
