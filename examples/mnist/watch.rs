//! What TensorBoard shows of a training, if the user asks for it: beside the scalars that the graph writes, the settings of the run, the
//! parameters, some images and the graph.

use std::io;

use graph_runtime::nn::Module;
use graph_runtime::summary::Writer;

use super::arguments::Arguments;
use super::train;
use super::training::{Course, Training};

/// A writer for this run, in a folder of its own, and what is known before the training.
pub fn begin(arguments: &Arguments, course: &Course) -> io::Result<Option<Writer>> {
    let Some(folder) = &arguments.logdir else {
        return Ok(None);
    };
    let name = format!("mnist-seed{}-epochs{}", course.seed, course.epochs);
    let writer = Writer::new(folder.join(name))?;
    let parameters = [
        ("epochs", (course.epochs as f64).into()),
        ("seed", (course.seed as f64).into()),
    ];
    writer.hparams(&parameters, &["train/accuracy"])?;
    let images = course
        .images
        .0
        .slice_axis(0, None, Some(3), 1)
        .expand_dims(3);
    writer.image("images", images.cast::<f32>() / course.ink, 0)?;
    Ok(Some(writer))
}

/// What is known after it.
pub fn end(writer: &Writer, training: &Training, course: &Course) -> io::Result<()> {
    let step = training.adam.iterations().item();
    for parameter in training.model.parameters() {
        if let Some(variable) = parameter.variable::<f32>() {
            writer.histogram(parameter.name(), variable, step)?;
        }
    }
    let text = format!("{} images, {} epochs", course.count(), course.epochs);
    writer.text("training", text, step)?;
    if let Some(graph) = train::function().concrete_functions().first() {
        writer.graph(graph)?;
    }
    writer.flush()
}
