// Wanted: a field of a packed struct, to which there is no reference. `let Header { length, .. } = *self;` takes it.
use graph_runtime::prelude::*;

#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Header {
    kind: u8,
    length: u32,
}

#[graph_fn]
impl Header {
    fn end(&self, start: u32) -> u32 {
        start + self.length
    }
}

fn main() {
    Header { kind: 1, length: 2 }.end(3);
}
