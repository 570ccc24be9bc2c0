//! The small tree of constructs: the places of a function's body where types decide, each with all that its code depends on. Collecting
//! finds them, checking refuses what can't be right, expanding writes them. Rust's own expressions stay syn's; among them a construct
//! stands as a mark, a literal that no Rust code can hold.

#![allow(
    clippy::large_enum_variant,
    reason = "a function has few constructs, and each is made once"
)]

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use syn::{
    Arm, BinOp, Block, Expr, ExprMethodCall, ExprStruct, Ident, Lifetime, LitStr, Macro, Pat, Type,
};

/// The constructs of one function.
#[derive(Default)]
pub struct Tree {
    pub constructs: Vec<Placed>,
    pub regions: Vec<Region>,
}

/// A construct and the user's tokens that messages about it point to.
pub struct Placed {
    pub span: Span,
    pub construct: Construct,
}

/// Ends the literal that stands for a construct.
const MARK: &str = "construct";

impl Tree {
    /// Puts a construct where an expression stands.
    pub fn place(&mut self, span: Span, construct: Construct) -> Expr {
        let number = self.constructs.len();
        self.constructs.push(Placed { span, construct });
        let mark = format!("{number}{MARK}").parse();
        let mut mark: Literal = mark.expect("digits and a suffix");
        mark.set_span(span);
        Expr::Verbatim(TokenTree::from(mark).into())
    }

    /// The construct that a literal stands for.
    pub fn marked(&self, literal: &Literal) -> Option<&Placed> {
        let text = literal.to_string();
        let number: usize = text.strip_suffix(MARK)?.parse().ok()?;
        self.constructs.get(number)
    }

    /// The construct that an expression is.
    pub fn at(&self, expr: &Expr) -> Option<&Construct> {
        let Expr::Verbatim(tokens) = expr else {
            return None;
        };
        match tokens.clone().into_iter().next() {
            Some(TokenTree::Literal(mark)) => self.marked(&mark).map(|p| &p.construct),
            _ => None,
        }
    }
}

impl std::ops::Index<RegionId> for Tree {
    type Output = Region;
    fn index(&self, id: RegionId) -> &Region {
        &self.regions[id.0]
    }
}

impl std::ops::IndexMut<RegionId> for Tree {
    fn index_mut(&mut self, id: RegionId) -> &mut Region {
        &mut self.regions[id.0]
    }
}

/// Which region of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RegionId(pub usize);

/// A branch, loop or block that a tensor may decide about, as what stands inside it and leaves it has to know it.
pub struct Region {
    /// The variable that holds it, such as `if_stmt`.
    pub ident: Ident,
    /// The label of the loop it runs in.
    pub label: Lifetime,
    /// True if something jumps to the label.
    pub is_labelled: bool,
    pub what: What,
    /// The kinds of the conditions that decide about leaving it.
    pub escapes: Vec<Ident>,
}

/// What a region is.
pub enum What {
    Branch,
    /// A loop, or a block with this label.
    Loop {
        label: Option<String>,
    },
    Block {
        label: String,
    },
}

/// A variable, or a part of one, that a construct may change and so hands to the tracer.
#[derive(Clone)]
pub struct Carried {
    /// The name in messages and graphs.
    pub name: String,
    /// The place, the user's tokens.
    pub place: Expr,
    pub how: Carry,
}

/// How a construct may change a variable, which decides what is asked of its type.
#[derive(Clone, Copy)]
pub enum Carry {
    /// It is assigned.
    Assigned,
    /// What stands behind a reference is assigned.
    Behind,
    /// A method is called on it.
    Received,
    /// It is called.
    Called,
    /// It has no value yet, and gets one on some ways only.
    Unset,
    /// It is a `&mut` parameter of the function.
    Parameter,
}

/// What is passed on the way out of the function: the regions, from the innermost, and the `&mut` parameters, which the caller sees.
pub struct WayOut {
    pub through: Vec<RegionId>,
    pub parameters: Vec<Carried>,
}

/// The kind of a condition that comes later.
pub struct OpenKind {
    pub ident: Ident,
    /// What `cfg` asks around the condition; where that is false, the condition isn't there.
    pub conditions: Vec<TokenStream>,
}

/// The value of a branch, loop or block.
pub enum Gives {
    Nothing,
    /// A value, with its type where one is written.
    Value(Option<Type>),
}

/// A place where types decide.
pub enum Construct {
    // ---- control flow ----
    Branch(Branch),
    Loop(Loop),
    Block(Labelled),
    Return(Return),
    Jump(Jump),
    Failure(Failure),
    Guard(Guard),
    Bound(Bound),
    /// The kinds of the conditions in a body, where it begins.
    Kinds(Vec<OpenKind>),

    // ---- values ----
    /// A value that, if it is a tensor, may have to become one of another shape's type.
    OfShape(Expr),
    /// What a closure takes by value, and is used elsewhere, too.
    Captured(Expr),
    /// An operand that stays usable.
    Loaded(Expr),
    /// A value that stays usable, and is coerced as what is moved would be.
    Coerced(Expr),
    /// An operand at its last use in a branch: cloned if it can be, else moved.
    Operand(Expr),
    /// A value of whose type what is due there says nothing.
    Untold(Expr),
    /// A value of which a copy is taken, if it is `Copy` or a tensor, else the value.
    Again(Expr),
    /// `x.unwrap()` or `x.expect("…")`.
    Unwrapped(Unwrapped),
    /// `self` of a `&mut self` method, taken along.
    Reborrowed,
    /// A closure that takes `self` along, by a reference of its own.
    OverSelf {
        own: Ident,
        closure: Expr,
    },
    /// What is moved in a branch, which the next branch needs, too.
    Kept(Kept),
    /// A literal, or a number of Rust, that may stand for a tensor.
    Lifted(Expr),
    /// A literal at the end of a branch, which the branch makes a value of Rust or a tensor.
    Chosen {
        region: RegionId,
        literal: Expr,
        is_text: bool,
    },
    /// The `else` that an `if` lacks where a value may be due.
    Otherwise,
    /// What stands in parentheses, for it is borrowed or indexed.
    Whole(Expr),

    // ---- operators ----
    Compared {
        sides: Sides,
        method: &'static str,
    },
    Logic(Logic),
    /// `a..b` whose bounds may be tensors.
    Bounds {
        method: &'static str,
        start: Expr,
        end: Expr,
    },
    /// What a `for` runs over.
    Iterable(Expr),
    /// What numbers and texts are matched against.
    Scrutinee(Expr),
    /// A tuple of two to four such values.
    Scrutinees(Vec<Expr>),

    // ---- items ----
    Item(Item),
    /// `x[i] += y`, where `y` looks at `x`.
    ChangedItem {
        item: Expr,
        op: BinOp,
        value: Expr,
    },
    ItemMethod(ItemMethod),
    Sought(Sought),

    // ---- assertions ----
    Assertion(Assertion),
}

impl Construct {
    /// True for control flow, whose code is a block: it needs no semicolon to be a statement.
    pub fn is_block(&self) -> bool {
        use Construct::{Block, Branch, Failure, Jump, Loop, Return};
        matches!(
            self,
            Branch(_) | Loop(_) | Block(_) | Return(_) | Jump(_) | Failure(_)
        )
    }
}

/// `if` or `match` that a tensor may decide.
pub struct Branch {
    pub region: RegionId,
    pub decides: Decides,
    pub gives: Gives,
    pub carried: Vec<Carried>,
    /// Variables without a value that each branch gives one.
    pub outputs: Vec<Expr>,
    /// The way out of the function, if a branch may take it.
    pub way_out: Option<WayOut>,
    /// True if every branch leaves early.
    pub never_ends: bool,
    /// The kind of the condition, where loops around must know it.
    pub escape: Option<Ident>,
}

/// What a branch is decided by, and its code.
pub enum Decides {
    If {
        condition: Expr,
        then_branch: Block,
        otherwise: Option<Expr>,
    },
    Match {
        scrutinee: Expr,
        /// What the patterns cover, if a tensor can tell; else the guards decide.
        classes: Option<Classes>,
        /// The kinds of the guards.
        guards: Vec<Ident>,
        arms: Vec<Arm>,
    },
}

/// What the patterns of a `match` cover.
pub enum Classes {
    /// Numbers and truth values: for each position of the scrutinee what each arm covers.
    Numbers(TokenStream),
    /// Texts: those that patterns name, one that is none of them, and for each arm which it covers.
    Texts(Vec<LitStr>, String, TokenStream),
}

/// A loop that a tensor may decide.
pub struct Loop {
    pub region: RegionId,
    pub head: Head,
    pub body: Block,
    pub carried: Vec<Carried>,
    pub way_out: Option<WayOut>,
}

/// How a loop goes on and ends.
pub enum Head {
    While {
        condition: Expr,
    },
    /// `while let`: the body itself leaves.
    WhileLet,
    For {
        pat: Pat,
        iterable: Expr,
        /// The variable that holds what it runs over.
        items: Ident,
    },
    Forever(Ends),
}

/// How a `loop` ends.
pub enum Ends {
    /// By a `break`.
    Plainly,
    /// By a `break` with a value.
    WithValue,
    /// Only by leaving something around it.
    Never,
}

/// A block that `break` can leave.
pub struct Labelled {
    pub region: RegionId,
    pub block: Block,
    pub gives: Gives,
    pub carried: Vec<Carried>,
    pub way_out: Option<WayOut>,
}

/// `return`.
pub struct Return {
    pub value: Option<Expr>,
    pub ty: Option<Type>,
    pub way_out: WayOut,
}

/// `break` or `continue`.
pub struct Jump {
    pub target: RegionId,
    pub leaves: Leaves,
    /// The regions that it leaves, from the innermost to its target.
    pub through: Vec<RegionId>,
    pub carried: Vec<Carried>,
    /// A variable of the target that means another one at the jump.
    pub shadowed: Option<String>,
}

/// What a jump does with its target.
pub enum Leaves {
    Break(Option<Expr>),
    Continue,
}

/// `panic!` or one of its kin, inside regions.
pub struct Failure {
    pub mac: Macro,
    /// The message.
    pub says: Says,
    pub through: Vec<RegionId>,
}

/// The message of a failure.
pub struct Says {
    /// What Rust puts before the user's text, or says where there is none.
    pub prefix: &'static str,
    /// The user's text and arguments.
    pub arguments: TokenStream,
}

/// The guard of an arm, in a `match` that its guards decide.
pub struct Guard {
    pub region: RegionId,
    pub kind: Ident,
    pub test: Expr,
    /// The name of the whole, if the guard looks at it.
    pub name: Option<Ident>,
}

/// The body of an arm that names what is matched, which may be a tensor.
pub struct Bound {
    pub region: RegionId,
    pub name: Ident,
    pub body: Expr,
}

/// A move under conditions: where a tensor decides about one of the regions, `what` gets clones.
pub struct Kept {
    pub regions: Vec<RegionId>,
    pub what: KeptWhat,
}

/// What is moved.
pub enum KeptWhat {
    /// A place; with what is taken where Rust decides.
    Place { place: Expr, taken: Expr },
    /// The base of `S { x: y, ..base }`.
    Base { structure: ExprStruct, base: Expr },
    /// Names that an unknown macro is given.
    Names { names: Vec<Ident>, mac: Macro },
}

/// The sides of a comparison.
pub struct Sides {
    pub left: Expr,
    pub right: Expr,
}

/// `&&` or `||`.
pub struct Logic {
    pub function: &'static str,
    pub left: Expr,
    /// True if the left side's temporaries end before the right one runs.
    pub ends_left: bool,
    pub right: Expr,
}

/// `x[i]`.
pub struct Item {
    pub base: Expr,
    pub index: Expr,
    pub how: Access,
}

/// What is done with an item.
pub enum Access {
    /// Its value is taken.
    Value,
    /// It is looked at, by a reference.
    Reference,
    /// It is looked at in place.
    Place,
    /// It is changed, by a reference.
    Mutable,
    /// It is assigned.
    Assigned,
    /// It is a place of an expression that is none.
    OfValue,
}

/// `x[i].method(…)`, where the item of a Rust collection is a place and that of a tensor a value.
pub struct ItemMethod {
    /// What is indexed, and the index.
    pub base: Expr,
    pub index: Expr,
    /// Rust's place, with names for its positions.
    pub place: Expr,
    /// The names, with what is indexed and by what, the last one first.
    pub positions: Vec<(Ident, Expr, Expr)>,
    /// The call; its receiver is put in.
    pub call: ExprMethodCall,
}

/// `[1, 2, 3].method(&x)`.
pub struct Sought {
    /// `&x`.
    pub sought: Expr,
    /// The call; its receiver and argument are put in where the type has picked.
    pub call: ExprMethodCall,
}

/// `x.unwrap()` or `x.expect("…")`. The types tell whether these are the standard library's.
pub struct Unwrapped {
    pub call: ExprMethodCall,
    pub receiver: Receiver,
    /// The regions around it, the innermost first, if a branch that a tensor decides about can fail where there is nothing to unwrap.
    pub through: Vec<RegionId>,
}

/// What is unwrapped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// A variable that is needed again: of an `Option` or `Result` that can be copied, a copy is unwrapped.
    Reused,
    /// A variable or a field of one.
    Place,
    /// The result of an expression.
    Value,
    /// A place that must not be evaluated twice.
    Other,
}

/// `assert!` and its kin.
pub struct Assertion {
    pub asserts: Asserts,
    /// True for `debug_assert!`.
    pub debug: bool,
    /// The regions around it, the innermost first: one of Rust's that fails in a branch that a tensor decides about leaves that branch.
    pub through: Vec<RegionId>,
}

/// What is asserted.
pub enum Asserts {
    /// `assert_eq!` and `assert_ne!`, with the user's message.
    Equality {
        method: String,
        left: Expr,
        right: Expr,
        message: Vec<Expr>,
    },
    /// A comparison without a message: its sides that aren't literals are shown.
    Comparison {
        sides: Sides,
        method: &'static str,
        source: String,
        /// The sources of the sides that are shown.
        left: Option<String>,
        right: Option<String>,
    },
    /// A condition with a message that Rust formats.
    Says { condition: Expr, message: Vec<Expr> },
    /// What `graph_assert!` writes.
    Graph(TokenStream),
}
