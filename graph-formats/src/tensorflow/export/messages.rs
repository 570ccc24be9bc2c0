//! Prints and assertions.

use graph_ir::graph::{Message, Print, PrintTo};

use super::body::Tensor;
use super::writer::{Effect, Writer};
use crate::tensorflow::attributes;

/// The placeholder of a value in a template: a text that the message doesn't contain.
const PLACEHOLDER: &str = "\u{1}{}\u{1}";

/// The message with its values filled in, a scalar string.
fn filled(w: &mut Writer, message: &Message, values: &[Tensor]) -> Tensor {
    if values.is_empty() {
        return w.scalar(message.texts.concat());
    }
    let summarize = message.summarize.map_or(-1, |n| n as i64);
    w.op("StringFormat", &[])
        .list(values)
        .attr(
            "template",
            attributes::text(&message.texts.join(PLACEHOLDER)),
        )
        .attr("placeholder", attributes::text(PLACEHOLDER))
        .attr("summarize", attributes::int(summarize))
        .of(graph_kernels::DType::Str)
}

/// The destination as TensorFlow writes it.
fn stream(to: &PrintTo) -> Result<String, String> {
    match to {
        PrintTo::Log(log::Level::Warn) => Ok("log(warning)".to_owned()),
        PrintTo::Log(log::Level::Debug | log::Level::Trace) => {
            Err(format!("TensorFlow doesn't print to {to}"))
        }
        to => Ok(to.to_string()),
    }
}

/// A print.
pub(super) fn print(
    w: &mut Writer,
    print: &Print,
    values: &[Tensor],
) -> Result<Vec<Tensor>, String> {
    let to = stream(&print.to)?;
    let text = filled(w, &print.message, values);
    let print = w
        .op("PrintV2", &[&text])
        .attr("output_stream", attributes::text(&to))
        .attr("end", attributes::text(&print.end));
    Ok(print.effect(Effect::Write).give(&[]))
}

/// An assertion: its first operand is the condition, the others belong to the message.
pub(super) fn assert(w: &mut Writer, message: &Message, x: &[Tensor]) -> Vec<Tensor> {
    let Some((condition, values)) = x.split_first() else {
        return Vec::new();
    };
    let text = filled(w, message, values);
    let assert = w.op("Assert", &[condition]).list(&[text]);
    assert.effect(Effect::Write).give(&[])
}
