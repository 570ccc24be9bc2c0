//! The tree of constructs: the places of a function's body where types decide, each with everything that its code depends on. Collecting
//! finds them, checking reports errors in them, expanding writes their code. All other expressions stay syn's; a construct among them is
//! represented by a mark, a literal that can't occur in Rust code.

#![allow(
    clippy::large_enum_variant,
    reason = "a function has few constructs, and each is made once"
)]

mod calls;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use syn::{Arm, BinOp, Block, Expr, ExprStruct, Ident, Lifetime, Lit, LitStr, Macro, Pat, Type};

pub use calls::{Assertion, Asserts, ItemMethod, Receiver, Sought, Unwrapped, UnwrappedItem};

/// The constructs of one function, and its [flows](Flow).
#[derive(Default)]
pub struct Tree {
    pub constructs: Vec<Placed>,
    pub flows: Vec<Flow>,
}

/// A construct and the user's tokens that messages about it point to.
pub struct Placed {
    pub span: Span,
    pub construct: Construct,
}

/// The suffix of the literal that represents a construct.
const MARK: &str = "construct";

impl Tree {
    /// The expression that represents a construct; the construct is added to the tree.
    pub fn place(&mut self, span: Span, construct: Construct) -> Expr {
        let number = self.constructs.len();
        self.constructs.push(Placed { span, construct });
        let mark = format!("{number}{MARK}").parse();
        let mut mark: Literal = mark.expect("digits and a suffix");
        mark.set_span(span);
        Expr::Verbatim(TokenTree::from(mark).into())
    }

    /// The construct that a literal represents.
    pub fn marked(&self, literal: &Literal) -> Option<&Placed> {
        let text = literal.to_string();
        let number: usize = text.strip_suffix(MARK)?.parse().ok()?;
        self.constructs.get(number)
    }

    /// The construct that an expression represents.
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

impl std::ops::Index<FlowId> for Tree {
    type Output = Flow;
    fn index(&self, id: FlowId) -> &Flow {
        &self.flows[id.0]
    }
}

impl std::ops::IndexMut<FlowId> for Tree {
    fn index_mut(&mut self, id: FlowId) -> &mut Flow {
        &mut self.flows[id.0]
    }
}

/// The index of a flow of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FlowId(pub usize);

/// A flow: a branch, loop or block that a tensor may decide, with the data that the code inside it and the jumps out of it need.
pub struct Flow {
    /// The variable that holds it in generated code, such as `if_stmt`.
    pub ident: Ident,
    /// The label of its loop.
    pub label: Lifetime,
    /// True if a jump uses the label.
    pub is_labelled: bool,
    pub what: What,
    /// The kinds of the conditions that decide whether it is left.
    pub escapes: Vec<Ident>,
}

/// The form of a flow.
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

/// A variable, or a part of one, that a construct may change and therefore passes to the tracer.
#[derive(Clone)]
pub struct Carried {
    /// The name in messages and graphs.
    pub name: String,
    /// The place, with the user's tokens.
    pub place: Expr,
    pub how: Carry,
}

/// How a construct may change a variable, which decides the requirements for its type.
#[derive(Clone)]
pub enum Carry {
    /// It is assigned.
    Assigned,
    /// The value behind a reference is assigned.
    Behind,
    /// A method is called on it.
    Received,
    /// It is called. If it is known to be a closure, these are the variables that it changes.
    Called(Vec<Ident>),
    /// In an `unsafe` block, what it points to is assigned.
    Pointed,
    /// It has no value yet, and gets one on some paths only.
    Unset,
    /// It is a `&mut` parameter of the function.
    Parameter,
}

/// The data for leaving the function: the flows, from the innermost on, and the `&mut` parameters, which the caller sees.
pub struct WayOut {
    pub through: Vec<FlowId>,
    pub parameters: Vec<Carried>,
}

/// The kind of a condition that comes later in the code.
pub struct OpenKind {
    pub ident: Ident,
    /// The `cfg` conditions around the condition; if they are false, the condition isn't compiled.
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
    /// The declarations of the kinds of a body's conditions, at its beginning.
    Kinds(Vec<OpenKind>),

    // ---- values ----
    /// A value that, if it is a tensor, may need a conversion to a type with another shape.
    OfShape(Expr),
    /// A variable that a closure takes by value, and that is also used elsewhere.
    Captured(Expr),
    /// An operand that stays usable.
    Loaded(Expr),
    /// A value that stays usable, and is coerced like a moved value.
    Coerced(Expr),
    /// An operand at its last use in a branch: cloned if possible, else moved.
    Operand(Expr),
    /// A value whose type must not be inferred from the expected type.
    Untold(Expr),
    /// A value that is used again: copied if it is `Copy` or a tensor, else moved.
    Again(Expr),
    /// `x.unwrap()` or `x.expect("…")`.
    Unwrapped(Unwrapped),
    /// `x[i].unwrap()` or `x[i].expect("…")` in a branch that can fail.
    UnwrappedItem(UnwrappedItem),
    /// `self` of a `&mut self` method, reborrowed where it is taken.
    Reborrowed,
    /// A closure that captures `self` by a reference of its own.
    OverSelf {
        own: Ident,
        closure: Expr,
    },
    /// A value that is moved in a branch, and that the next branch needs, too.
    Kept(Kept),
    /// A literal, or a Rust number, that may become a tensor.
    Lifted(Expr),
    /// `?` in a function with this result type, which may not allow it.
    Tried {
        value: Expr,
        result: Type,
    },
    /// After the `let` of a variable: if nothing has told its type, it is the literal's.
    Settled {
        variable: Ident,
        literal: Expr,
    },
    /// A literal at the end of a branch; the branch makes it a Rust value or a tensor.
    Chosen {
        flow: FlowId,
        literal: Expr,
        is_text: bool,
    },
    /// The missing `else` of an `if` whose value may be needed.
    Otherwise,
    /// An expression in parentheses, because it is borrowed or indexed.
    Whole(Expr),

    // ---- operators ----
    Compared {
        sides: Sides,
        method: &'static str,
    },
    /// An operator in a generic function, with a float literal on one side.
    WithFloat(WithFloat),
    /// A float literal that is assigned with an operator to this place, in a generic function.
    FloatBeside {
        place: Expr,
        literal: Expr,
    },
    Logic(Logic),
    /// `a..b` whose bounds may be tensors.
    Bounds {
        method: &'static str,
        start: Expr,
        end: Expr,
    },
    /// The iterable of a `for`.
    Iterable(Expr),
    /// The scrutinee of a match on numbers or strings. If nothing has told its type, it is that of the number in a pattern.
    Scrutinee {
        place: Expr,
        number: Option<Lit>,
    },
    /// A tuple of two to four such values.
    Scrutinees(Vec<Expr>),

    // ---- items ----
    Item(Item),
    /// `x[i] += y`, where `y` reads `x`.
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
    /// True for control flow, whose code is a block and so needs no semicolon as a statement.
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
    pub flow: FlowId,
    pub decides: Decides,
    pub gives: Gives,
    pub carried: Vec<Carried>,
    /// The variables without a value that each branch gives a value.
    pub outputs: Vec<Expr>,
    /// The data for leaving the function, if a branch may do so.
    pub way_out: Option<WayOut>,
    /// True if a jump leaves every branch.
    pub never_ends: bool,
    /// The kind of the condition, if loops around need to know it.
    pub escape: Option<Ident>,
}

/// What decides a branch, and its code.
pub enum Decides {
    If {
        condition: Expr,
        then_branch: Block,
        otherwise: Option<Expr>,
    },
    Match {
        scrutinee: Expr,
        /// The values that the patterns cover, if the scrutinee may be a tensor; else the guards decide.
        classes: Option<Classes>,
        /// The kinds of the guards.
        guards: Vec<Ident>,
        arms: Vec<Arm>,
    },
}

/// The values that the patterns of a `match` cover.
pub enum Classes {
    /// Numbers and truth values: for each position of the scrutinee, the values that each arm covers.
    Numbers(TokenStream),
    /// Strings: those in the patterns, one that is in none of them, and for each arm those that it covers.
    Texts(Vec<LitStr>, String, TokenStream),
}

/// A loop that a tensor may decide.
pub struct Loop {
    pub flow: FlowId,
    pub head: Head,
    pub body: Block,
    pub carried: Vec<Carried>,
    pub way_out: Option<WayOut>,
}

/// How a loop continues and ends.
pub enum Head {
    While {
        condition: Expr,
    },
    /// `while let`: the body itself leaves the loop.
    WhileLet,
    For {
        pat: Pat,
        iterable: Expr,
        /// The variable that holds the iterator.
        items: Ident,
    },
    Forever(Ends),
}

/// How a `loop` ends.
pub enum Ends {
    /// By a `break` without a value.
    Plainly,
    /// By a `break` with a value.
    WithValue,
    /// Only by a jump that leaves something around it.
    Never,
}

/// A block that `break` can leave.
pub struct Labelled {
    pub flow: FlowId,
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
    pub target: FlowId,
    pub leaves: Leaves,
    /// The flows that it leaves, from the innermost to its target.
    pub through: Vec<FlowId>,
    pub carried: Vec<Carried>,
    /// A variable of the target that is shadowed at the jump.
    pub shadowed: Option<String>,
}

/// What a jump does with its target.
pub enum Leaves {
    Break(Option<Expr>),
    Continue,
}

/// `panic!` or a similar macro, inside flows.
pub struct Failure {
    pub mac: Macro,
    /// The message.
    pub says: Says,
    pub through: Vec<FlowId>,
}

/// The message of a failure.
pub struct Says {
    /// Rust's text before the user's, or the whole message if the user gives none.
    pub prefix: &'static str,
    /// The user's text and arguments.
    pub arguments: TokenStream,
}

/// The guard of an arm, in a `match` that its guards decide.
pub struct Guard {
    pub flow: FlowId,
    pub kind: Ident,
    pub test: Expr,
    /// The name of the whole scrutinee, if the guard uses it.
    pub name: Option<Ident>,
}

/// The body of an arm that binds the whole scrutinee, which may be a tensor.
pub struct Bound {
    pub flow: FlowId,
    pub name: Ident,
    pub body: Expr,
}

/// A move inside flows: if a tensor decides one of them, `what` is cloned.
pub struct Kept {
    pub flows: Vec<FlowId>,
    pub what: KeptWhat,
}

/// What is moved.
pub enum KeptWhat {
    /// A place; `taken` is the code for the case that Rust decides.
    Place { place: Expr, taken: Expr },
    /// The base of `S { x: y, ..base }`.
    Base { structure: ExprStruct, base: Expr },
    /// The names that an unknown macro gets.
    Names { names: Vec<Ident>, mac: Macro },
}

/// The sides of a comparison.
pub struct Sides {
    pub left: Expr,
    pub right: Expr,
}

/// An operator with a float literal on one side.
pub struct WithFloat {
    pub literal: Expr,
    pub operand: Expr,
    /// True if the literal is on the left.
    pub is_left: bool,
    pub operator: Operator,
}

/// An operator of two sides.
#[derive(Clone, Copy)]
pub enum Operator {
    /// It takes its sides.
    Arithmetic(BinOp),
    /// It borrows its sides; the name of the method that compares.
    Comparison(&'static str),
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

/// How an item is used.
pub enum Access {
    /// Its value is taken.
    Value,
    /// It is read through a reference.
    Reference,
    /// It is read in place.
    Place,
    /// It is changed through a reference.
    Mutable,
    /// It is assigned.
    Assigned,
    /// It is read in place, and the indexed expression isn't a place.
    OfValue,
}
