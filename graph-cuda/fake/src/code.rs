//! Decoded PTX: what the interpreter executes. There are no names and no types here; each instruction holds the numbers of its registers
//! and the function that computes its result.

/// The number of a register in its function. Constants and special registers such as `%tid.x` have registers, too.
pub(crate) type Reg = u16;

/// What computes a register from up to four others. Unused operands have any value. Bits above the result's type don't matter: whoever
/// reads a register looks at the bits of its own type only.
pub(crate) type Alu = fn(u64, u64, u64, u64) -> u64;

/// Where an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
}

/// A register and an offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub base: Reg,
    pub offset: i32,
    /// Whether the register has 32 bits, as it may for shared and local memory.
    pub narrow: bool,
}

/// How many elements of which size an access moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    pub bytes: u8,
    pub count: u8,
    /// Whether a load extends the sign.
    pub signed: bool,
}

/// A load or a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub space: Space,
    pub width: Width,
    pub registers: [Reg; 4],
    pub at: Address,
}

/// How a comparison is combined with a predicate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Join {
    None,
    And,
    Or,
    Xor,
}

/// An instruction without its guard.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inst {
    Alu {
        f: Alu,
        d: Reg,
        s: [Reg; 4],
    },
    /// An addition with a carry: `f` computes the sum and the carry out of three operands and the carry in.
    Carry {
        f: fn(u64, u64, u64, u64) -> (u64, u64),
        d: Reg,
        s: [Reg; 3],
        reads: bool,
        writes: bool,
    },
    /// `order` tells how two values are ordered, `mask` which orders hold. `p` becomes the comparison, joined with a third operand;
    /// `q` the same of the negated comparison.
    Compare {
        order: fn(u64, u64) -> u8,
        mask: u8,
        join: Join,
        p: Reg,
        q: Reg,
        s: [Reg; 3],
    },
    /// Splits a register into parts of equal size.
    Unpack {
        d: [Reg; 4],
        count: u8,
        bits: u8,
        a: Reg,
    },
    Load(Access),
    Store(Access),
    /// Replaces a value in memory by `f(value, b, c)`; the old one goes to `d`.
    Atomic {
        space: Space,
        bytes: u8,
        f: Alu,
        d: Reg,
        s: [Reg; 2],
        at: Address,
    },
    LoadParam {
        width: Width,
        d: [Reg; 4],
        offset: u32,
    },
    StoreParam {
        width: Width,
        s: [Reg; 4],
        offset: u32,
    },
    Branch {
        target: u32,
    },
    /// The number of the call in its function.
    Call {
        site: u16,
    },
    Return,
    Exit,
    Trap,
    /// Waits for all threads of the block.
    Barrier {
        id: Reg,
    },
    /// Waits for the threads of `mask` in the warp, and exchanges values.
    Collective {
        kind: Collective,
        d: Reg,
        q: Reg,
        s: [Reg; 3],
        mask: Reg,
    },
    ActiveMask {
        d: Reg,
    },
    /// The number of instructions that the thread has executed.
    Clock {
        d: Reg,
    },
    SetCondition {
        s: [Reg; 2],
    },
    /// A fence: the interpreter runs threads in order.
    Fence,
}

/// What the threads of a warp do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collective {
    Sync,
    Butterfly,
    Down,
    Up,
    Index,
    Any,
    All,
    Uniform,
    Ballot,
}

/// An instruction with its guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    /// The predicate register, or `UNGUARDED`.
    pub guard: Reg,
    pub negated: bool,
    pub inst: Inst,
}

/// No register: the instruction has no guard.
pub(crate) const UNGUARDED: Reg = Reg::MAX;

/// A register whose value is known when a thread starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Thread(u8),
    BlockSize(u8),
    Block(u8),
    GridSize(u8),
    Lane,
    /// The mask of the lanes that are in this relation to the thread's lane: one bit for less, two for equal, four for greater.
    LaneMask(u8),
    Warp,
    /// The address of local memory of this function, plus an offset.
    Local(u32),
    /// The address of dynamic shared memory, which begins after the declared variables.
    DynamicShared,
}

/// A range of a function's parameter bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub offset: u32,
    pub bytes: u32,
}

/// A call: which function, and which of the caller's parameter bytes are its arguments and results.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub callee: usize,
    pub arguments: Vec<Slice>,
    pub results: Vec<Slice>,
}

/// The text of an instruction and its line, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub line: u32,
    pub text: String,
}

/// A kernel or a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    pub code: Vec<Guarded>,
    /// One for each step.
    pub source: Vec<Source>,
    /// The registers' first values: constants, and poison in the others.
    pub registers: Vec<u64>,
    pub specials: Vec<(Reg, Special)>,
    /// Registers that hold the addresses of tables, which are known when the module is loaded.
    pub table_addresses: Vec<(Reg, usize)>,
    pub results: Vec<Slice>,
    pub parameters: Vec<Slice>,
    /// The size of all parameters, results and arguments of calls.
    pub parameter_bytes: u32,
    pub local_bytes: u32,
    /// Declared shared memory, without the dynamic one.
    pub shared_bytes: u32,
    pub calls: Vec<CallSite>,
    /// Whether it, or a function that it calls, waits for other threads.
    pub waits: bool,
    /// The most threads of a block, if the kernel says so.
    pub most_threads: Option<u32>,
    /// The only size of a block, if the kernel says so.
    pub only_block: Option<[u32; 3]>,
}

/// A table in global memory.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub name: String,
    pub bytes: Vec<u8>,
    pub constant: bool,
}

/// A module: what one text declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// The version of PTX, ten times the major number plus the minor one.
    pub version: u32,
    /// The compute capability of its target, such as 75.
    pub target: u32,
    pub functions: Vec<Function>,
    pub tables: Vec<Table>,
}
