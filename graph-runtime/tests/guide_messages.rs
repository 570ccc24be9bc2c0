//! The messages that the guide quotes under "What you may meet", as *"…"*: each is what the compiler says of a program in `ui-tests`, or what
//! the library says of one here.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use graph_runtime::nn::{Dense, Module, Sgd};
use graph_runtime::prelude::*;
use graph_runtime::saved::Functions;

const HEADING: &str = "# What you may meet";

/// The page whose messages depend on the machine and on features; `tests/devices.rs` and the tests in `tests/cuda` hold them.
const OF_DEVICES: &str = "devices.md";

#[test]
fn each_message_in_the_guide_is_one_that_is_given() {
    let compiler = said_by_the_compiler();
    let library = said_by_the_library();
    let mut quotes = 0;
    let pages = files(&here("src/guide"), "md").into_iter();
    for page in pages.filter(|page| !page.ends_with(OF_DEVICES)) {
        let text = fs::read_to_string(&page).expect("a page");
        for quote in quoted(&text) {
            quotes += 1;
            let is_given = |said: &String| said.contains(&quote);
            assert!(
                compiler.iter().chain(&library).any(is_given),
                "{}: nothing says {quote:?}",
                page.display()
            );
        }
    }
    assert!(quotes > 10, "{quotes}");
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The messages that a page quotes.
fn quoted(page: &str) -> Vec<String> {
    let Some((_, section)) = page.split_once(HEADING) else {
        return Vec::new();
    };
    let behind = section.split("*\"").skip(1);
    let quotes = behind.map(|text| text.split_once("\"*").expect("a quote ends on its page").0);
    let unescaped = |text: &str| text.replace("\\[", "[").replace("\\]", "]");
    quotes.map(|text| plain(&unescaped(text))).collect()
}

/// The text in one line, with types as the compiler shows them where their names are imported.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace("graph_runtime::", "")
}

fn said_by_the_compiler() -> Vec<String> {
    let cases = files(&here("../ui-tests/cases/fail"), "stderr");
    let texts = cases.iter().map(fs::read_to_string);
    texts.map(|text| plain(&text.expect("a message"))).collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path, ending)),
            false => {
                found.extend(Some(path).filter(|p| p.extension().is_some_and(|e| e == ending)))
            }
        }
    }
    found
}

/// What the library says of programs that a reader of the guide may write.
fn said_by_the_library() -> Vec<String> {
    #[graph_fn]
    fn relu(x: Tensor<f32>) -> Tensor<f32> {
        if x > 0.0 { x } else { zeros([3]) }
    }

    #[graph_fn]
    fn numbers(x: Tensor<f32>) -> Vec<f32> {
        x.to_vec()
    }

    #[graph_fn]
    fn product(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
        x.matmul(y)
    }

    #[graph_fn]
    fn mean_of_positive(x: Tensor<f32>) -> Tensor<f32> {
        let positive = x.boolean_mask(x > 0.0);
        let count = positive.dim(0);
        positive.sum() / count as f32
    }

    #[graph_fn]
    fn counted(n: Tensor<i32>) -> Tensor<f32> {
        let mut sum = tensor(0.0);
        for _ in 0..n {
            sum += Variable::new(tensor(1.0)).read();
        }
        sum
    }

    #[graph_fn]
    fn sum_of_first(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
        let mut sum = tensor(0.0);
        for i in 0..n {
            sum += x[i];
        }
        sum
    }

    #[graph_fn]
    fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
        model.call(x)
    }

    let (model, other) = (Dense::new(2, 3), Dense::new(2, 3));
    let traced = predict::concrete(&model, TensorSpec::new(&[None, Some(2)])).expect("a trace");
    let larger = (Dense::new(2, 3), Dense::new(3, 1));
    let file = tempfile::NamedTempFile::new().expect("a file");
    larger.save(file.path()).expect("it is saved");
    let not_loaded = model.load(file.path()).expect_err("it is another model");
    let programs: Vec<Box<dyn FnOnce() + '_>> = vec![
        Box::new(|| drop(relu(tensor([1.0, 2.0, 3.0])))),
        Box::new(|| drop(numbers(tensor(1.0)))),
        Box::new(|| drop(product(ones([2, 3]), ones([4, 2])))),
        Box::new(|| drop(mean_of_positive(tensor([1.0, 2.0])))),
        Box::new(|| drop(counted(tensor(3)))),
        Box::new(|| drop(sum_of_first(tensor([1.0, 2.0]), tensor(4)))),
        Box::new(|| {
            let tape = GradientTape::new();
            let loss = other.call(ones([1, 2])).sum();
            Sgd::new(&model).apply(&tape.gradient(&loss, &other), &other);
        }),
        Box::new(|| {
            let bound = traced.bind(&model).expect("its model");
            let saved = Functions::new().with("predict", bound).expect("a name");
            let predict = saved.get("predict").expect("it is there");
            drop(predict.call::<Tensor<f32>>(tensor([1])).unwrap());
        }),
        Box::new(|| {
            let x = ones::<f32>([1, 2]);
            drop(traced.call_flat::<Tensor<f32>>(&[x.as_any()]).unwrap());
        }),
    ];
    let mut said = vec![plain(&not_loaded.to_string())];
    for program in programs {
        let payload = catch_unwind(AssertUnwindSafe(program)).expect_err("it fails");
        let text = payload.downcast_ref::<String>().expect("a message");
        said.push(plain(text));
    }
    said
}
