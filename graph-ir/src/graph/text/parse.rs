//! Parses graph text. The text may be malicious: nesting is bounded, memory is bounded by the length of the
//! text, and every mistake is an error with its line and column. The verifier checks the types afterwards.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeToInclusive;
use std::sync::Arc;

use graph_kernels::Array;
use rustc_hash::FxHashMap;

use super::array::{read_array, read_repeated};
use super::lexer::{Position, Token, tokens};
use super::print::label;
use super::{MAX_DEPTH, MAX_NODES, MAX_VALUES};
use crate::error::Location;
use crate::graph::{
    Derivation, Graph, Op, SharedGraph, TensorType, Value, ValueId, VariableId, VerifyError, verify,
};
use crate::recipes::Recipe;

mod operations;
mod syntax;

/// Why and where a text isn't a valid graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl ParseError {
    pub(super) fn new(message: impl Into<String>, at: Position) -> ParseError {
        ParseError {
            message: message.into(),
            line: at.line,
            column: at.column,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

/// The file name in the locations of parsed nodes.
const FILE: &str = "<graph text>";

/// Parses and verifies a graph.
pub(super) fn parse(text: &str) -> Result<Graph> {
    let mut parser = Parser::new(text)?;
    while parser.accept_word("fn") {
        parser.function()?;
    }
    parser.expect_word("graph")?;
    let (graph, _) = parser.signature_and_body()?;
    parser.expect(&Token::End)?;
    verify(&graph).map_err(in_text)?;
    Ok(graph)
}

/// A violation at a node whose location is a line of the text.
fn in_text(error: VerifyError) -> ParseError {
    ParseError {
        message: error.message,
        line: error.location.line.max(1),
        column: error.location.column.max(1),
    }
}

/// Parses and verifies graphs that are written as functions, with the constants whose values are elsewhere. The result has them by label.
pub(super) fn parse_all(
    text: &str,
    constants: &[Arc<Array>],
) -> Result<FxHashMap<String, SharedGraph>> {
    let mut parser = Parser::new(text)?;
    parser.constants = constants;
    parser.repeats = ..=MAX_VALUES;
    let mut graphs = FxHashMap::default();
    while parser.accept_word("fn") {
        let at = parser.at();
        let (key, graph) = parser.function()?;
        verify(&graph).map_err(|e| match e.location.file == FILE {
            true => in_text(e),
            // The line is one of the program that the graph came from.
            false => ParseError::new(e.to_string(), at),
        })?;
        graphs.insert(label(&key.0, key.1), graph);
    }
    parser.expect(&Token::End)?;
    Ok(graphs)
}

/// Parses the recipe of a dataset.
pub(super) fn recipe(text: &str) -> Result<Recipe> {
    Parser::new(text)?.recipe()
}

/// The size of a graph after inlining its calls.
#[derive(Clone, Copy, Default)]
struct Extent {
    nodes: usize,
    /// The depth of nested subgraphs and calls.
    depth: usize,
}

/// A called graph.
#[derive(Clone)]
struct Function {
    name: Arc<str>,
    graph: SharedGraph,
    extent: Extent,
}

struct Parser<'a> {
    /// The constants whose values are elsewhere, by number.
    constants: &'a [Arc<Array>],
    /// How often a text may repeat a value.
    repeats: RangeToInclusive<usize>,
    /// The file that the last line was in, if the nodes have lines.
    file: Option<Cow<'static, str>>,
    tokens: Vec<(Token, Position)>,
    next: usize,
    depth: usize,
    /// The functions by name and number: `f` is `("f", 1)`, `f#2` is `("f", 2)`.
    functions: FxHashMap<(String, u64), Function>,
    /// The variables of the graph being parsed; its subgraphs use them, too.
    variables: FxHashMap<Token, VariableId>,
}

/// A graph being parsed, with the names of its values.
#[derive(Default)]
struct Scope {
    graph: Graph,
    extent: Extent,
    values: FxHashMap<Token, ValueId>,
}

impl<'a> Parser<'a> {
    fn new(text: &str) -> Result<Parser<'a>> {
        Ok(Parser {
            constants: &[],
            repeats: ..=usize::MAX,
            file: None,
            tokens: tokens(text)?,
            next: 0,
            depth: 0,
            functions: FxHashMap::default(),
            variables: FxHashMap::default(),
        })
    }

    /// Parses `name(inputs) -> types { … }`, after `fn`.
    fn function(&mut self) -> Result<((String, u64), SharedGraph)> {
        let at = self.at();
        let key = self.label()?;
        let (graph, extent) = self.signature_and_body()?;
        let graph = SharedGraph::from(graph);
        let function = Function {
            name: Arc::from(key.0.as_str()),
            graph: graph.clone(),
            extent,
        };
        match self.functions.insert(key.clone(), function) {
            Some(_) => Err(ParseError::new(
                "a function of this name and number exists already",
                at,
            )),
            None => Ok((key, graph)),
        }
    }

    /// Parses `name` or `name#2`.
    fn label(&mut self) -> Result<(String, u64)> {
        let name = match self.token() {
            Token::Word(name) | Token::Text(name) => name,
            _ => return self.error_before("expected the name of a function"),
        };
        let number = if self.accept('#') { self.integer()? } else { 1 };
        Ok((name, number))
    }

    fn signature_and_body(&mut self) -> Result<(Graph, Extent)> {
        let mut scope = self.inputs()?;
        self.variables(&mut scope)?;
        self.expect(&Token::Arrow)?;
        let at = self.at();
        let types = if self.accept('(') {
            self.list(')', Self::tensor_type)?
        } else {
            vec![self.tensor_type()?]
        };
        scope.graph.derivation = self.derivation(&mut scope)?;
        self.block(&mut scope)?;
        if !scope
            .graph
            .outputs
            .iter()
            .map(|v| scope.graph.ty(*v))
            .eq(&types)
        {
            return Err(ParseError::new(
                "the values returned are not of these types",
                at,
            ));
        }
        Ok((scope.graph, scope.extent))
    }

    /// Parses `recompute` or `gradient name of 1`, if there is one.
    fn derivation(&mut self, scope: &mut Scope) -> Result<Option<Derivation>> {
        if self.accept_word("recompute") {
            return Ok(Some(Derivation::Recompute));
        }
        if !self.accept_word("gradient") {
            return Ok(None);
        }
        let function = self.called(scope)?;
        self.expect_word("of")?;
        Ok(Some(Derivation::Custom {
            gradient: function.graph,
            results: self.integer()?,
        }))
    }

    /// Parses the label of a function that was defined above.
    fn called(&mut self, scope: &mut Scope) -> Result<Function> {
        let at = self.at();
        let key = self.label()?;
        let Some(function) = self.functions.get(&key).cloned() else {
            return Err(ParseError::new("no function of this name stands above", at));
        };
        scope.enclose(function.extent);
        Ok(function)
    }

    /// Parses `name (inputs) { … }`: one subgraph of a control-flow node.
    fn subgraph(&mut self, outer: &mut Scope, name: &str) -> Result<Graph> {
        self.expect_word(name)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error(format!("subgraphs nest deeper than {MAX_DEPTH}"));
        }
        let mut scope = self.inputs()?;
        self.block(&mut scope)?;
        self.depth -= 1;
        outer.enclose(scope.extent);
        Ok(scope.graph)
    }

    fn inputs(&mut self) -> Result<Scope> {
        self.expect(&Token::Mark('('))?;
        let mut scope = Scope::default();
        self.list(')', |p| {
            let (name, at) = p.new_value()?;
            p.expect(&Token::Mark(':'))?;
            let ty = p.tensor_type()?;
            let value = scope.define(name, ty, at)?;
            scope.graph.inputs.push(value);
            Ok(())
        })?;
        Ok(scope)
    }

    /// Parses `with (v: int32[], w: float32[2])`, if there is one.
    fn variables(&mut self, scope: &mut Scope) -> Result<()> {
        self.variables.clear();
        if !self.accept_word("with") {
            return Ok(());
        }
        self.expect(&Token::Mark('('))?;
        self.list(')', |p| {
            let (name, at) = p.new_value()?;
            p.expect(&Token::Mark(':'))?;
            let variables = &mut scope.graph.variables;
            let id = VariableId(variables.len() as u32);
            variables.push(Value {
                ty: p.tensor_type()?,
                name: text_of(&name),
            });
            match p.variables.insert(name, id) {
                Some(_) => Err(ParseError::new("the variable is named twice", at)),
                None => Ok(()),
            }
        })?;
        Ok(())
    }

    /// Parses the name of a variable of the graph being parsed.
    fn variable(&mut self) -> Result<VariableId> {
        let (name, at) = self.new_value()?;
        let known = self.variables.get(&name).copied();
        known.ok_or_else(|| ParseError::new("the graph has no variable of this name", at))
    }

    fn block(&mut self, scope: &mut Scope) -> Result<()> {
        self.expect(&Token::Mark('{'))?;
        while !self.at_return() {
            self.statement(scope)?;
        }
        self.expect_word("return")?;
        if !self.accept('}') {
            scope.graph.outputs.push(self.value(scope)?);
            while self.accept(',') {
                scope.graph.outputs.push(self.value(scope)?);
            }
            self.expect(&Token::Mark('}'))?;
        }
        Ok(())
    }

    /// True at a `return` that ends a block, and isn't the name of a value being defined.
    fn at_return(&self) -> bool {
        *self.peek() == Token::Word("return".into()) && !self.at_definition()
    }

    fn at_definition(&self) -> bool {
        matches!(
            self.tokens.get(self.next + 1),
            Some((Token::Mark('=' | ','), _))
        )
    }

    /// Parses `a, b = operation : types { subgraphs }`, or without outputs `operation { subgraphs }`.
    fn statement(&mut self, scope: &mut Scope) -> Result<()> {
        let location = self.location()?;
        let at = self.at();
        let mut names = Vec::new();
        if self.at_definition() {
            names.push(self.new_value()?);
            while self.accept(',') {
                names.push(self.new_value()?);
            }
            self.expect(&Token::Mark('='))?;
        }
        let (op, inputs, types) = self.operation(scope, names.len())?;
        if types.len() != names.len() {
            let message = format!("{} values of {} types", names.len(), types.len());
            return Err(ParseError::new(message, at));
        }
        let mut outputs = Vec::new();
        for ((name, at), ty) in names.into_iter().zip(types) {
            outputs.push(scope.define(name, ty, at)?);
        }
        scope.extent.nodes = scope.extent.nodes.saturating_add(1);
        if scope.extent.nodes > MAX_NODES {
            return Err(ParseError::new(format!("more than {MAX_NODES} nodes"), at));
        }
        if scope.extent.depth > MAX_DEPTH {
            return Err(ParseError::new(
                format!("calls nest deeper than {MAX_DEPTH}"),
                at,
            ));
        }
        scope.graph.nodes.push(crate::graph::Node {
            op,
            inputs,
            outputs,
            location,
        });
        Ok(())
    }
}

impl Parser<'_> {
    /// Parses `@"main.rs":3:5` or `@3:5`, if there is one. A node without it has its line in the text.
    fn location(&mut self) -> Result<Location> {
        let at = self.at();
        if !self.accept('@') {
            return Ok(Location {
                file: Cow::Borrowed(FILE),
                line: at.line,
                column: at.column,
                ..Location::unknown()
            });
        }
        if matches!(self.peek(), Token::Text(_)) {
            self.file = Some(Cow::Owned(self.text()?));
            self.expect(&Token::Mark(':'))?;
        }
        let Some(file) = self.file.clone() else {
            return self.error("the first line of a program is without its file");
        };
        let line = self.integer()?;
        self.expect(&Token::Mark(':'))?;
        Ok(Location {
            file,
            line,
            column: self.integer()?,
            ..Location::unknown()
        })
    }
}

impl Scope {
    fn define(&mut self, name: Token, ty: TensorType, at: Position) -> Result<ValueId> {
        let value = self.graph.add_value(ty, text_of(&name));
        match self.values.insert(name, value) {
            Some(_) => Err(ParseError::new("the value is defined twice", at)),
            None => Ok(value),
        }
    }

    /// Adds the extent of a subgraph or a called graph.
    fn enclose(&mut self, inner: Extent) {
        self.extent.nodes = self.extent.nodes.saturating_add(inner.nodes);
        self.extent.depth = self.extent.depth.max(inner.depth + 1);
    }
}

/// The name that a value or variable gets; `None` for a number.
fn text_of(name: &Token) -> Option<Arc<str>> {
    match name {
        Token::Word(text) | Token::Quoted(text) => Some(Arc::from(text.as_str())),
        _ => None,
    }
}
