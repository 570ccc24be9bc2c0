//! Models: names of variables, sharing, tables, files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use graph_runtime::nn::{
    Activation, BatchNorm, Dense, Dropout, FileError, Lstm, Module, Sequential,
};
use graph_runtime::prelude::*;

fn names(model: &impl Module) -> Vec<String> {
    model
        .parameters()
        .iter()
        .map(|p| p.name().to_owned())
        .collect()
}

#[derive(Module)]
struct Everything<M> {
    list: Vec<M>,
    array: [Dense; 1],
    pair: (Variable<f32>, Option<Variable<i32>>),
    nothing: Option<Dense>,
    map: BTreeMap<&'static str, Variable<f32>>,
    boxed: Box<BatchNorm>,
    #[module(frozen)]
    frozen: Dense,
    kind: Kind,
    width: usize,
    r#type: Variable<f32>,
    #[module(ignore)]
    #[trace_type(ignore)]
    cache: std::cell::Cell<u8>,
}

#[derive(Module)]
enum Kind {
    #[allow(dead_code)]
    Plain,
    Scaled {
        scale: Variable<f32>,
    },
}

#[test]
fn variables_have_the_names_of_their_paths() {
    let model = Everything {
        list: vec![Dense::new(1, 2).without_bias(), Dense::new(2, 1)],
        array: [Dense::new(1, 1).without_bias()],
        pair: (Variable::new(tensor(1.0)), Some(Variable::new(tensor(1)))),
        nothing: None,
        map: BTreeMap::from([
            ("b", Variable::new(tensor(1.0))),
            ("a", Variable::new(tensor(1.0))),
        ]),
        boxed: Box::new(BatchNorm::new(1)),
        frozen: Dense::new(1, 1),
        kind: Kind::Scaled {
            scale: Variable::new(tensor(1.0)),
        },
        width: 3,
        r#type: Variable::new(tensor(1.0)),
        cache: Default::default(),
    };
    let frozen = [
        "boxed.moving_mean",
        "boxed.moving_variance",
        "frozen.kernel",
        "frozen.bias",
    ];
    assert_eq!(
        names(&model),
        [
            "list.0.kernel",
            "list.1.kernel",
            "list.1.bias",
            "array.0.kernel",
            "pair.0",
            "pair.1",
            "map.a",
            "map.b",
            "boxed.gamma",
            "boxed.beta",
            frozen[0],
            frozen[1],
            frozen[2],
            frozen[3],
            "kind.scale",
            "type",
        ]
    );
    let not_trained = model.non_trainable_variables();
    assert_eq!(
        not_trained.iter().map(|p| p.name()).collect::<Vec<_>>(),
        frozen
    );
    assert_eq!(model.trainable_variables().len(), 12);
    assert_eq!(model.width, 3);
    model.cache.set(1);
}

#[derive(Module)]
struct Shared {
    a: Dense,
    b: Dense,
}

#[test]
fn a_shared_variable_counts_once() {
    let a = Dense::new(2, 2);
    let model = Shared { b: a.clone(), a };
    assert_eq!(names(&model), ["a.kernel", "a.bias"]);
    assert_eq!(model.count_parameters(), 6);
    let x = tensor([[1.0, 2.0]]);
    let tape = GradientTape::new();
    let y = model.b.call(model.a.call(&x)).sum();
    let gradients = tape.gradient(&y, &model);
    assert_eq!(gradients.len(), 2);
    // By the product rule: the bias is used by both layers.
    let kernel = model.a.kernel().read();
    let expected = kernel.sum_axis(1) + 1.0;
    assert_eq!(
        gradients[1].tensor::<f32>().unwrap().to_vec(),
        expected.to_vec()
    );
}

/// What Keras prints for the same model, with our names.
#[test]
fn the_table_is_that_of_keras() {
    #[derive(Module)]
    struct Model {
        a: Dense,
        norm_of_the_outputs_of_a: BatchNorm,
        layers: Vec<Dense>,
        scale: Variable<f32>,
    }
    let model = Model {
        a: Dense::new(3, 4),
        norm_of_the_outputs_of_a: BatchNorm::new(4),
        layers: vec![Dense::new(4, 4), Dense::new(4, 2)],
        scale: Variable::new(tensor(1.0)),
    };
    let expected = "\
Model: \"Model\"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ a (Dense)                       │ ?                      │            16 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ norm_of_the_outputs_of_a        │ ?                      │            16 │
│ (BatchNorm)                     │                        │               │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ layers.0 (Dense)                │ ?                      │            20 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ layers.1 (Dense)                │ ?                      │            10 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ scale (Variable)                │ ?                      │             1 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 63 (252.00 B)
 Trainable params: 55 (220.00 B)
 Non-trainable params: 8 (32.00 B)";
    assert_eq!(model.summary().to_string(), expected);
}

#[test]
fn a_row_of_layers_knows_its_shapes() {
    let model = Sequential::new()
        .with(Lstm::new(3, 8))
        .with(Dropout::new(0.5))
        .with(
            Sequential::new()
                .with(Dense::new(8, 2))
                .with(Activation::Softmax),
        );
    assert_eq!(
        names(&model),
        [
            "0.cell.kernel",
            "0.cell.recurrent_kernel",
            "0.cell.bias",
            "2.0.kernel",
            "2.0.bias"
        ]
    );
    let table = model.summary_for(&[7, 3]).to_string();
    for row in [
        "│ 0 (Lstm)                        │ (None, 8)              │           384 │",
        "│ 1 (Dropout)                     │ (None, 8)              │             0 │",
        "│ 2 (Sequential)                  │ (None, 2)              │            18 │",
    ] {
        assert!(table.contains(row), "{table}");
    }
    let sums = model.call(zeros::<f32>(&[4, 7, 3]), true).sum_axis(1);
    assert!((sums - 1.0).abs().max().item() < 1e-6);
}

/// A file that is deleted when the test ends.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let name = format!("graph-nn-{}-{name}.safetensors", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[derive(Module)]
struct AllTypes {
    f32: Variable<f32>,
    f64: Variable<f64>,
    f16: Variable<graph_runtime::tensor::f16>,
    i32: Variable<i32>,
    i64: Variable<i64>,
    u8: Variable<u8>,
    i8: Variable<i8>,
    i16: Variable<i16>,
    u16: Variable<u16>,
    u32: Variable<u32>,
    u64: Variable<u64>,
    bool: Variable<bool>,
}

impl AllTypes {
    fn of(values: [f32; 2]) -> AllTypes {
        let x = tensor(values);
        AllTypes {
            f32: Variable::new(x.clone()),
            f64: Variable::new(x.cast()),
            f16: Variable::new(x.cast()),
            i32: Variable::new(x.cast()),
            i64: Variable::new(x.cast()),
            u8: Variable::new(x.abs().cast()),
            i8: Variable::new(x.cast()),
            i16: Variable::new(x.cast()),
            u16: Variable::new(x.cast::<i32>().cast()),
            u32: Variable::new(x.cast::<i32>().cast()),
            u64: Variable::new(x.cast::<i32>().cast()),
            bool: Variable::new(x.gt(1.0)),
        }
    }
}

#[test]
fn what_was_saved_is_loaded() {
    let file = Temporary::new("round");
    let (saved, loaded) = (AllTypes::of([-1.5, 7.25]), AllTypes::of([0.0, 0.0]));
    saved.save(&file.0).unwrap();
    loaded.load(&file.0).unwrap();
    for (a, b) in saved.parameters().iter().zip(loaded.parameters()) {
        assert_eq!(a.array(), b.array(), "{}", a.name());
    }
}

#[test]
fn a_saved_file_takes_the_place_of_the_old_one_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (small, large) = (Dense::new(3, 2), Dense::new(30, 20));
    large.save(&path).unwrap();
    small.save(&path).unwrap();
    small.load(&path).unwrap();
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 1, "nothing is left beside it");
    // Saving to a folder that doesn't exist, and over a folder.
    for place in [folder.path().join("no/model"), folder.path().to_owned()] {
        assert!(matches!(small.save(&place), Err(FileError::Io { .. })));
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        large.save(&link).unwrap();
        large.load(&path).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}

#[test]
fn a_file_of_another_model_changes_nothing() {
    let file = Temporary::new("other");
    Dense::new(3, 2).save(&file.0).unwrap();
    let refused = |model: &dyn Fn() -> Result<(), FileError>| {
        let error = model().unwrap_err().to_string();
        error
            .split_once(": ")
            .map(|(_, message)| message.to_owned())
            .unwrap()
    };
    let wide = Dense::new(3, 4);
    let before = wide.kernel().read().to_vec();
    assert_eq!(
        refused(&|| wide.load(&file.0)),
        "`kernel` is float32[3,2] in the file, but float32[3,4] in the model"
    );
    assert_eq!(wide.kernel().read().to_vec(), before);
    assert_eq!(
        refused(&|| Shared {
            a: Dense::new(3, 2),
            b: Dense::new(3, 2)
        }
        .load(&file.0)),
        "the file is of another model: the file has no `a.bias`, `a.kernel`, `b.bias`, `b.kernel`, \
         and the model has no `bias`, `kernel`"
    );
    #[derive(Module)]
    struct Doubles {
        kernel: Variable<f64>,
        bias: Variable<f32>,
    }
    let doubles = Doubles {
        kernel: Variable::new(zeros(&[3, 2])),
        bias: Variable::new(ones(&[2])),
    };
    assert_eq!(
        refused(&|| doubles.load(&file.0)),
        "`kernel` is float32[3,2] in the file, but float64[3,2] in the model"
    );
    assert_eq!(doubles.bias.read().to_vec(), [1.0, 1.0]);
    assert!(refused(&|| wide.load("/nowhere/model.safetensors")).contains("No such file"));
    let strings = Variable::new(tensor(["a"]));
    assert_eq!(
        strings.save(&file.0).unwrap_err().to_string(),
        "`` holds strings, which a safetensors file can't hold"
    );
}

#[test]
fn a_damaged_file_is_an_error() {
    let file = Temporary::new("damaged");
    let model = Dense::new(3, 2);
    model.save(&file.0).unwrap();
    let good = std::fs::read(&file.0).unwrap();
    for length in 0..good.len() {
        std::fs::write(&file.0, &good[..length]).unwrap();
        let error = model.load(&file.0).unwrap_err();
        assert!(
            matches!(error, FileError::Format { .. }),
            "{length} bytes: {error}"
        );
    }
    // A header that claims to be longer than the file; then each byte of the file changed.
    std::fs::write(&file.0, [&[0xff; 8], &good[8..]].concat()).unwrap();
    assert!(matches!(model.load(&file.0), Err(FileError::Format { .. })));
    for i in 0..good.len() {
        let mut bytes = good.clone();
        bytes[i] ^= 0x15;
        std::fs::write(&file.0, bytes).unwrap();
        // The changed file may still be valid, with other numbers. It must only not panic.
        let _ = model.load(&file.0);
    }
}
