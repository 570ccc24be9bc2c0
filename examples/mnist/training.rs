//! A training that may be interrupted: after each epoch, one file holds everything that is needed to continue.

use std::path::Path;

use graph_runtime::nn::metrics::SparseCategoricalAccuracy;
use graph_runtime::nn::{Adam, FileError, Module};
use graph_runtime::prelude::*;
use graph_runtime::random;

use super::files::Labelled;
use super::{BATCH, EXAMPLES, Model, stop, train};

/// The model, the optimizer with its state and count of steps, and the accuracy so far.
#[derive(Module)]
pub struct Training {
    pub model: Model,
    pub adam: Adam,
    pub accuracy: SparseCategoricalAccuracy,
}

/// The images, the number of epochs, and the seed of their order.
pub struct Course {
    pub images: Labelled,
    pub ink: f32,
    pub epochs: usize,
    pub seed: i64,
}

impl Course {
    /// The number of images in an epoch.
    pub fn count(&self) -> usize {
        self.images.0.dim(0).min(EXAMPLES)
    }
}

impl Training {
    pub fn new(pixels: usize) -> Training {
        let model = Model::new(pixels);
        Training {
            adam: Adam::new(&model),
            model,
            accuracy: SparseCategoricalAccuracy::new(),
        }
    }

    /// Trains to the end. Returns the last loss.
    pub fn run(&self, course: &Course) -> Tensor<f32> {
        self.see(course, course.epochs)
    }

    /// Continues from a file, if it exists, and saves to it after each epoch, behind which it ends if the user has asked for it. Returns the
    /// last loss, or `None` if all epochs were done before. The order of the images in an epoch depends only on the seed and the epoch's
    /// number, so the result is the same however often the training was interrupted.
    pub fn resume(&self, course: &Course, file: &Path) -> Result<Option<Tensor<f32>>, FileError> {
        if file.exists() {
            self.load(file)?;
        }
        let steps = self.adam.iterations().item() as usize;
        let mut loss = None;
        for epoch in steps / course.count().div_ceil(BATCH)..course.epochs {
            random::set_seed(course.seed.wrapping_add(epoch as i64));
            loss = Some(self.see(course, 1));
            self.save(file)?;
            if stop::is_wanted() {
                break;
            }
        }
        Ok(loss)
    }

    fn see(&self, course: &Course, epochs: usize) -> Tensor<f32> {
        let (images, labels) = course.images.clone();
        train(
            &self.model,
            &self.adam,
            &self.accuracy,
            images,
            labels,
            course.ink,
            epochs,
        )
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::super::arguments::Arguments;

    /// The environment variable that tells the test in its own process where its files are.
    const FOLDER: &str = "MNIST_FOLDER";
    const EPOCHS: u32 = 30;

    #[test]
    #[ignore = "a process that another test kills"]
    fn trains_on() {
        let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
        let arguments = Arguments {
            data: None,
            epochs: Some(EPOCHS),
            seed: 1,
            model: folder.join("model"),
            resume: Some(folder.join("training")),
            logdir: None,
        };
        super::super::run(&arguments).unwrap();
    }

    /// A process that trains.
    fn start(folder: &std::path::Path) -> std::process::Child {
        let name = "training::tests::trains_on";
        Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", name, "--nocapture"])
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Trains until the end, or kills the process after this time. Returns whether it reached the end.
    fn train_for(time: Duration, folder: &std::path::Path) -> bool {
        let mut child = start(folder);
        let start = Instant::now();
        while start.elapsed() < time {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        false
    }

    /// Ctrl-C is a signal to the process. Behind the epoch in which it comes the training is saved, and no model is made of it.
    #[cfg(unix)]
    #[test]
    fn ctrl_c_saves_and_ends_the_training() {
        let folder = std::env::temp_dir().join(format!("mnist-stopped-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut child = start(&folder);
        while !folder.join("training").exists() {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it ended before it saved"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        let signal = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(signal.unwrap().success());
        assert!(child.wait().unwrap().success());
        assert!(!folder.join("model").exists());
        assert!(
            train_for(Duration::from_secs(300), &folder),
            "it goes on to the end"
        );
        assert!(folder.join("model").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_training_that_is_killed_again_and_again_ends_with_the_same_bits() {
        let folder = std::env::temp_dir().join(format!("mnist-killed-{}", std::process::id()));
        let [whole, killed] = ["whole", "killed"].map(|name| folder.join(name));
        fs::create_dir_all(&whole).unwrap();
        fs::create_dir_all(&killed).unwrap();
        let start = Instant::now();
        assert!(train_for(Duration::from_secs(300), &whole));
        let all = start.elapsed();
        // The process is killed while it starts, traces, trains or saves. It gets a little more time each time, so that it ends at last.
        let mut kills = 0;
        while !train_for(all * (kills % 7 + 2 + kills / 7) / 10, &killed) {
            kills += 1;
        }
        assert!(kills > 0);
        for file in ["model", "training"] {
            let [whole, killed] =
                [&whole, &killed].map(|folder| fs::read(folder.join(file)).unwrap());
            assert!(whole == killed, "the {file} differs after {kills} kills");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
