//! The names of a function's body: registers, variables and labels, in nested blocks.

use super::Type;
use crate::code::{Reg, Slice};
use std::collections::HashMap;

/// What a name is.
#[derive(Clone, Debug)]
pub(crate) enum Name {
    Register(Reg, Type),
    Parameter(Slice),
    Local { offset: u32 },
    Shared { offset: u32 },
    DynamicShared,
    Table(usize),
}

/// A block `{ }` of the body; the body itself is the first.
#[derive(Default)]
struct Block {
    parent: Option<usize>,
    names: HashMap<String, Name>,
    /// `%r<10>` declares `%r0` to `%r9`: the prefix, how many, the first register and their type.
    ranges: Vec<(String, u32, Reg, Type)>,
    labels: HashMap<String, u32>,
}

/// All blocks of a body. Blocks that ended are kept, because a branch may be resolved later.
pub(crate) struct Names {
    blocks: Vec<Block>,
    open: usize,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            blocks: vec![Block::default()],
            open: 0,
        }
    }

    pub(crate) fn enter(&mut self) {
        self.blocks.push(Block {
            parent: Some(self.open),
            ..Block::default()
        });
        self.open = self.blocks.len() - 1;
    }

    /// Ends the innermost block; `false` if it is the body itself.
    pub(crate) fn leave(&mut self) -> bool {
        let parent = self.blocks[self.open].parent;
        self.open = parent.unwrap_or(0);
        parent.is_some()
    }

    pub(crate) fn open_block(&self) -> usize {
        self.open
    }

    /// Declares a name in the innermost block; `false` if the block has it already.
    pub(crate) fn declare(&mut self, name: &str, what: Name) -> bool {
        let taken = self.find_in(self.open, name).is_some();
        self.blocks[self.open].names.insert(name.to_owned(), what);
        !taken
    }

    pub(crate) fn declare_range(&mut self, prefix: &str, count: u32, first: Reg, of: Type) {
        self.blocks[self.open]
            .ranges
            .push((prefix.to_owned(), count, first, of));
    }

    pub(crate) fn find(&self, name: &str) -> Option<Name> {
        let mut block = Some(self.open);
        while let Some(b) = block {
            if let Some(found) = self.find_in(b, name) {
                return Some(found);
            }
            block = self.blocks[b].parent;
        }
        None
    }

    fn find_in(&self, block: usize, name: &str) -> Option<Name> {
        let block = &self.blocks[block];
        block.names.get(name).cloned().or_else(|| {
            block.ranges.iter().find_map(|(prefix, count, first, of)| {
                let digits = name.strip_prefix(prefix.as_str())?;
                let plain = digits == "0"
                    || !digits.starts_with('0') && digits.bytes().all(|c| c.is_ascii_digit());
                let number: u32 = digits.parse().ok().filter(|n| plain && n < count)?;
                Some(Name::Register(first + number as Reg, *of))
            })
        })
    }

    /// Sets a label in the innermost block; `false` if the block has it already.
    pub(crate) fn label(&mut self, name: &str, at: u32) -> bool {
        self.blocks[self.open]
            .labels
            .insert(name.to_owned(), at)
            .is_none()
    }

    /// The place of a label that is visible from `block`.
    pub(crate) fn target(&self, block: usize, name: &str) -> Option<u32> {
        let mut block = Some(block);
        while let Some(b) = block {
            if let Some(&at) = self.blocks[b].labels.get(name) {
                return Some(at);
            }
            block = self.blocks[b].parent;
        }
        None
    }
}
