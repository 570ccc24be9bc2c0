//! The layout of images. ONNX has the channels first, `[batch, channels, rows, columns]`; the ops on images here have them last. So an importer
//! transposes around each such op, and passes remove the transposes between them.

use graph_ir::graph::Op;
use graph_ir::ops::{self, OpDef};

use super::build::{Build, Val};
use super::error::Result;

const TO_FIRST: [i64; 4] = [0, 3, 1, 2];
/// How many ops are looked back for the one that made an image.
const MAX_STEPS: usize = 16;

impl Build<'_> {
    /// Images with the channels last.
    pub fn channels_last(&mut self, x: Val) -> Result<Val> {
        self.transpose(x, &[0, 2, 3, 1])
    }

    /// Images with the channels first again.
    pub fn channels_first(&mut self, x: Val) -> Result<Val> {
        self.transpose(x, &TO_FIRST)
    }

    /// A reduction over axes; all of them if the list is empty. That of whole images is one with the channels last, if an op made them that has
    /// them last.
    pub fn reduce(&mut self, op: &'static OpDef, x: Val, axes: &[i64], keep: bool) -> Result<Val> {
        let are_images =
            self.shape(x).rank() == Some(4) && [&[2, 3][..], &[-2, -1]].contains(&axes);
        if !are_images || !self.come_with_channels_last(x) {
            return self.reduce_axes(op, x, axes, keep);
        }
        let x = self.channels_last(x)?;
        let y = self.reduce_axes(op, x, &[1, 2], keep)?;
        if keep { self.channels_first(y) } else { Ok(y) }
    }

    /// Whether images are the result of an op that has the channels last, and elementwise ops after it.
    fn come_with_channels_last(&self, x: Val) -> bool {
        let mut value = x;
        for _ in 0..MAX_STEPS {
            let Some((Op::Primitive(op, attrs), operands)) = self.definition(value) else {
                return false;
            };
            if *op == &ops::TRANSPOSE {
                return attrs.ints("perm").is_ok_and(|perm| perm == TO_FIRST);
            }
            let is_image = |v: &&Val| self.shape(**v).rank() == Some(4);
            match operands.iter().find(is_image) {
                Some(image) if (op.element)(attrs).is_some() => value = *image,
                _ => return false,
            }
        }
        false
    }
}
