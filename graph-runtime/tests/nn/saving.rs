//! A save is complete or has no effect: on a full disk, in a file that can't grow, in a process that is killed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use graph_runtime::nn::{Dense, FileError, LayerNorm, Module};
use graph_runtime::prelude::*;

/// Tells the test in the child process where to save.
const PATH: &str = "SAVED_MODEL";

fn model_of(value: f32) -> Variable<f32> {
    Variable::new(fill(&[4000], value))
}

/// The value in the file, which must be complete.
fn value_in(path: &Path) -> f32 {
    let model = model_of(-1.0);
    model.load(path).expect("a whole file");
    let values = model.read().to_vec();
    assert!(values.iter().all(|v| *v == values[0]));
    values[0]
}

/// The arguments of the test program that run only this test.
fn alone(test: &str) -> [String; 4] {
    [
        "--ignored",
        "--exact",
        &format!("saving::{test}"),
        "--nocapture",
    ]
    .map(str::to_owned)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_with_its_name() {
    match Dense::new(3, 2).save("/dev/full").unwrap_err() {
        FileError::Io { path, error } => {
            assert_eq!(path, Path::new("/dev/full"));
            assert_eq!(error.kind(), ErrorKind::StorageFull);
        }
        error => panic!("{error}"),
    }
}

#[test]
#[ignore = "a process that another test starts"]
fn saves_and_says_why_not() {
    let path = PathBuf::from(std::env::var_os(PATH).expect("a path"));
    let error = model_of(2.0).save(&path).expect_err("too large");
    eprintln!("{error}");
    model_of(3.0).save(&path).expect_err("still too large");
    // A small model fits.
    Dense::new(3, 2).save(path.with_file_name("small")).unwrap();
}

/// The system writes as much as fits and refuses the rest.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    model_of(1.0).save(&path).unwrap();
    let output = Command::new("sh")
        // Files may have at most 4 KiB, and exceeding this doesn't kill the process by a signal.
        .args(["-c", r#"trap '' XFSZ; ulimit -f 8; exec "$0" "$@""#])
        .arg(std::env::current_exe().unwrap())
        .args(alone("saves_and_says_why_not"))
        .env(PATH, &path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&*path.to_string_lossy()), "{said}");
    assert_eq!(value_in(&path), 1.0);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["model", "small"], "no part is left");
}

#[test]
#[ignore = "a process that another test kills"]
fn saves_until_it_is_killed() {
    let path = PathBuf::from(std::env::var_os(PATH).expect("a path"));
    for value in 1.. {
        model_of(value as f32).save(&path).unwrap();
    }
}

#[test]
fn a_process_that_is_killed_while_it_saves_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let mut saved = 0.0;
    for round in 0..20 {
        model_of(0.0).save(&path).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(alone("saves_until_it_is_killed"))
            .env(PATH, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while value_in(&path) == 0.0 {
            assert!(child.try_wait().unwrap().is_none(), "it saves for ever");
            std::thread::sleep(Duration::from_millis(1));
        }
        // Kills the child at some moment of a save.
        std::thread::sleep(Duration::from_micros(round * 777));
        child.kill().unwrap();
        child.wait().unwrap();
        saved += value_in(&path);
    }
    assert!(saved >= 20.0, "{saved}");
}

#[derive(Module)]
struct Model {
    body: Dense,
    norm: LayerNorm,
}

impl Model {
    fn new(inputs: usize) -> Model {
        Model {
            body: Dense::new(inputs, 2),
            norm: LayerNorm::new(2),
        }
    }

    fn values(&self) -> Vec<Vec<f32>> {
        let parameters = self.parameters().into_iter();
        let values = parameters.map(|p| p.variable::<f32>().unwrap().read().to_vec());
        values.collect()
    }
}

#[test]
fn what_file_and_model_have_in_common_is_loaded_under_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let saved = Model::new(3);
    saved.body.bias().unwrap().assign(tensor([1.0, 2.0]));
    saved.save(&path).unwrap();

    let model = Model::new(3);
    let (before, from) = (model.values(), saved.values());
    // The file's `body` is the model's; its `norm` is called otherwise there, and the model's isn't in it.
    let rename = |name: &str| match name.split_once('.')? {
        ("body", rest) => Some(format!("body.{rest}")),
        (_, "beta") => None,
        (_, rest) => Some(format!("other.{rest}")),
    };
    let left_out = model.load_partial(&path, rename).unwrap();
    assert_eq!(left_out.variables, ["norm.gamma", "norm.beta"]);
    assert_eq!(left_out.arrays, ["norm.beta", "norm.gamma"]);
    assert_eq!(model.values()[..2], from[..2]);
    assert_eq!(model.values()[2..], before[2..]);

    let whole = model.load_partial(&path, |name| Some(name.to_owned()));
    assert_eq!(whole.unwrap(), Default::default());
    assert_eq!(model.values(), from);
}

#[test]
fn a_partial_load_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    Model::new(3).save(&path).unwrap();
    let model = Model::new(4);
    model.norm.parameters()[0]
        .variable::<f32>()
        .unwrap()
        .assign(tensor([5.0, 6.0]));
    let before = model.values();
    let same = |name: &str| Some(name.to_owned());
    let message = model.load_partial(&path, same).unwrap_err().to_string();
    assert!(
        message
            .ends_with("`body.kernel` is float32[3,2] in the file, but float32[4,2] in the model"),
        "{message}"
    );
    let all_one = |_: &str| Some("norm.beta".to_owned());
    let message = model.load_partial(&path, all_one).unwrap_err().to_string();
    assert!(
        message.ends_with("`norm.beta` would be both `body.bias` and `body.kernel` of the file"),
        "{message}"
    );
    assert_eq!(model.values(), before);
}
