//! Parses operations, the part after `=`: one function per form.

use graph_kernels::format::Spec;

use super::*;
use crate::graph::{IterationStep, Message, Print, SharedGraph, Summary, SummaryKind};
use crate::recipes::of_text;

impl Parser<'_> {
    /// Parses everything after the `=`: the operation, its operands, and the types of its `outputs` values.
    pub(super) fn operation(
        &mut self,
        scope: &mut Scope,
        outputs: usize,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let Token::Word(word) = self.token() else {
            return self.error_before("expected an operation");
        };
        match word.as_str() {
            "constant" => self.constant(),
            "print" => self.print(scope),
            "assert" => self.assert(scope),
            "next_seed" => self.next_seed(),
            "begin_iteration" => {
                let op = Op::Iteration(IterationStep::Begin(self.recipe()?));
                Ok((op, self.operands(scope)?, self.types()?))
            }
            "has_element" => self.step(scope, IterationStep::HasElement),
            "take_element" => self.step(scope, IterationStep::TakeElement),
            "read_variable" => Ok((Op::ReadVariable(self.variable()?), vec![], self.types()?)),
            "assign_variable" => {
                let op = Op::AssignVariable(self.variable()?);
                Ok((op, self.operands(scope)?, vec![]))
            }
            "update_variable" => self.update_variable(scope),
            "cond" | "switch_case" => self.branches(scope, &word),
            "while_loop" => self.while_loop(scope, outputs),
            "fusion" => self.fusion(scope),
            "call" => self.call(scope),
            name => match SummaryKind::of_op(name) {
                Some(kind) => self.summary(scope, kind),
                None => self.primitive(scope, name),
            },
        }
    }

    fn constant(&mut self) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let at = self.at();
        if self.accept('#') {
            return self.constant_elsewhere(at);
        }
        let bare = !self.accept('[');
        let mut repeated = None;
        let mut values = Vec::new();
        if bare {
            values.push(self.literal()?);
        } else if !self.accept(']') {
            values.push(self.literal()?);
            if self.accept(',') {
                values.extend(self.list(']', Self::literal)?);
            } else {
                if self.accept(';') {
                    repeated = Some(self.integer()?);
                }
                self.expect(&Token::Mark(']'))?;
            }
        }
        let types = self.types()?;
        let array = match &types[..] {
            [ty] => match ty.shape.to_known() {
                Some(shape) if let Some(count) = repeated => match self.repeats.contains(&count) {
                    true => read_repeated(ty.dtype, &shape, &values[0], count),
                    false => Err(format!("{count} equal values in a text")),
                },
                Some(shape) if shape.is_empty() == bare => read_array(ty.dtype, &shape, &values),
                _ => Err(format!("these are not the values of a {ty}")),
            },
            _ => Err("a constant has one type".to_owned()),
        };
        let array = array.map_err(|message| ParseError::new(message, at))?;
        Ok((Op::Constant(Arc::new(array)), vec![], types))
    }

    /// Parses the number of a constant whose values aren't in the text.
    fn constant_elsewhere(&mut self, at: Position) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let number: usize = self.integer()?;
        let Some(array) = self.constants.get(number).cloned() else {
            let known = self.constants.len();
            let message = format!("there is no constant {number}, only {known} come with the text");
            return Err(ParseError::new(message, at));
        };
        let types = self.types()?;
        match &types[..] {
            [ty] if ty.accepts(&array) => Ok((Op::Constant(array), vec![], types)),
            _ => {
                let own = TensorType::of_array(&array);
                Err(ParseError::new(format!("constant {number} is {own}"), at))
            }
        }
    }

    fn print(&mut self, scope: &Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
        let (texts, values) = self.message(scope)?;
        let mut print = Print::line(Message::new(texts));
        self.options(
            &["summarize", "bare", "specs", "end", "to"],
            |p, name| match name {
                "end" => p.text().map(|text| print.end = text),
                "to" => {
                    let to = p.text()?.parse();
                    to.map(|to| print.to = to)
                        .or_else(|e: String| p.error_before(e))
                }
                _ => p.message_option(name, &mut print.message),
            },
        )?;
        Ok((Op::Print(Box::new(print)), values, vec![]))
    }

    /// Parses texts and values up to the closing bracket.
    fn message(&mut self, scope: &Scope) -> Result<(Vec<String>, Vec<ValueId>)> {
        let mut texts = vec![String::new()];
        let mut values = Vec::new();
        self.list(')', |p| {
            match (p.peek(), texts.last_mut()) {
                (Token::Text(_), Some(last)) if last.is_empty() => {
                    if let Token::Text(text) = p.token() {
                        *last = text;
                    }
                }
                _ => {
                    values.push(p.value(scope)?);
                    texts.push(String::new());
                }
            }
            Ok(())
        })?;
        Ok((texts, values))
    }

    /// Parses `{name = value, name = value}`, if there is one; `option` parses the value for a name.
    fn options(
        &mut self,
        names: &[&str],
        mut option: impl FnMut(&mut Self, &str) -> Result<()>,
    ) -> Result<()> {
        if !self.accept('{') {
            return Ok(());
        }
        self.list('}', |p| {
            let Token::Word(name) = p.token() else {
                return p.error_before("expected the name of an option");
            };
            if !names.contains(&name.as_str()) {
                return p.error_before(format!("there is no option `{name}`"));
            }
            p.expect(&Token::Mark('='))?;
            option(p, &name)
        })?;
        Ok(())
    }

    /// Parses an option that all messages have: `summarize = 3` (-1 means all), `bare = [0, 2]`, or `specs = [0, ".3", 2, ">8"]`.
    fn message_option(&mut self, name: &str, message: &mut Message) -> Result<()> {
        if name == "bare" {
            self.expect(&Token::Mark('['))?;
            message.bare = self.list(']', Self::integer)?;
            return Ok(());
        }
        if name == "specs" {
            self.expect(&Token::Mark('['))?;
            message.specs = self.list(']', Self::spec)?;
            return Ok(());
        }
        let edge: i64 = self.integer()?;
        message.summarize = usize::try_from(edge).ok();
        Ok(())
    }

    /// Parses the index of a value of a message and its format options.
    fn spec(&mut self) -> Result<(usize, Spec)> {
        let of = self.integer()?;
        self.expect(&Token::Mark(','))?;
        let spec = self.text()?.parse();
        spec.map_or_else(|e: String| self.error_before(e), |spec| Ok((of, spec)))
    }

    fn assert(&mut self, scope: &Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
        let condition = self.value(scope)?;
        let (texts, values) = if self.accept(',') {
            self.message(scope)?
        } else {
            self.expect(&Token::Mark(')'))?;
            (vec![String::new()], Vec::new())
        };
        let mut message = Message::new(texts);
        self.options(&["summarize", "bare", "specs"], |p, name| {
            p.message_option(name, &mut message)
        })?;
        let inputs = [condition].into_iter().chain(values).collect();
        Ok((Op::Assert(Box::new(message)), inputs, vec![]))
    }

    /// Parses `("tag", value, step)`.
    fn summary(
        &mut self,
        scope: &Scope,
        kind: SummaryKind,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
        let tag = self.text()?;
        self.expect(&Token::Mark(','))?;
        let inputs = self.list(')', |p| p.value(scope))?;
        Ok((Op::Summary(Summary { kind, tag }), inputs, vec![]))
    }

    fn next_seed(&mut self) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
        let seed = if matches!(self.peek(), Token::Number(_)) {
            Some(self.integer()?)
        } else {
            None
        };
        self.expect(&Token::Mark(')'))?;
        Ok((Op::NextSeed(seed), vec![], self.types()?))
    }

    /// Parses `batch(shuffle(slices(2), 100), 10)`.
    pub(super) fn recipe(&mut self) -> Result<Recipe> {
        let at = self.at();
        let Token::Word(name) = self.token() else {
            return self.error_before("expected the recipe of a dataset");
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error(format!("datasets nest deeper than {MAX_DEPTH}"));
        }
        self.expect(&Token::Mark('('))?;
        let (mut sources, mut numbers) = (Vec::new(), Vec::new());
        self.list(')', |p| {
            match p.peek() {
                Token::Number(_) => numbers.push(p.integer()?),
                _ => sources.push(p.recipe()?),
            }
            Ok(())
        })?;
        self.depth -= 1;
        of_text(&name, &sources, &numbers).map_err(|message| ParseError::new(message, at))
    }

    fn step(
        &mut self,
        scope: &Scope,
        step: IterationStep,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        Ok((Op::Iteration(step), self.operands(scope)?, self.types()?))
    }

    fn update_variable(
        &mut self,
        scope: &mut Scope,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let variable = self.variable()?;
        let inputs = self.operands(scope)?;
        self.expect(&Token::Mark('{'))?;
        let body = SharedGraph::from(self.subgraph(scope, "body")?);
        self.expect(&Token::Mark('}'))?;
        Ok((Op::UpdateVariable { variable, body }, inputs, vec![]))
    }

    fn branches(
        &mut self,
        scope: &mut Scope,
        word: &str,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let mut inputs = vec![self.value(scope)?];
        inputs.extend(self.operands(scope)?);
        let types = self.types()?;
        self.expect(&Token::Mark('{'))?;
        if word == "cond" {
            let then_branch = SharedGraph::from(self.subgraph(scope, "then")?);
            let else_branch = SharedGraph::from(self.subgraph(scope, "else")?);
            self.expect(&Token::Mark('}'))?;
            return Ok((
                Op::Cond {
                    then_branch,
                    else_branch,
                },
                inputs,
                types,
            ));
        }
        let mut branches = Vec::new();
        while !self.accept('}') {
            branches.push(self.subgraph(scope, "branch")?.into());
        }
        Ok((Op::SwitchCase { branches }, inputs, types))
    }

    fn while_loop(
        &mut self,
        scope: &mut Scope,
        outputs: usize,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let at = self.at();
        self.expect(&Token::Mark('('))?;
        let mut inputs = Vec::new();
        while !matches!(self.peek(), Token::Mark(';' | ')')) {
            inputs.push(self.value(scope)?);
            if !self.accept(',') {
                break;
            }
        }
        if inputs.len() != outputs {
            let message = format!("a state of {} values for {outputs} outputs", inputs.len());
            return Err(ParseError::new(message, at));
        }
        if self.accept(';') {
            inputs.extend(self.list(')', |p| p.value(scope))?);
        } else {
            self.expect(&Token::Mark(')'))?;
        }
        let types = self.types()?;
        self.expect(&Token::Mark('{'))?;
        let cond = SharedGraph::from(self.subgraph(scope, "cond")?);
        let body = SharedGraph::from(self.subgraph(scope, "body")?);
        self.expect(&Token::Mark('}'))?;
        Ok((Op::WhileLoop { cond, body }, inputs, types))
    }

    fn fusion(&mut self, scope: &mut Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let inputs = self.operands(scope)?;
        let types = self.types()?;
        self.expect(&Token::Mark('{'))?;
        let body = SharedGraph::from(self.subgraph(scope, "body")?);
        self.expect(&Token::Mark('}'))?;
        Ok((Op::Fusion { body }, inputs, types))
    }

    fn call(&mut self, scope: &mut Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let function = self.called(scope)?;
        let inputs = self.operands(scope)?;
        let mut variables = Vec::new();
        if self.accept_word("with") {
            self.expect(&Token::Mark('('))?;
            variables = self.list(')', Self::variable)?;
        }
        Ok((
            Op::Call {
                name: function.name,
                graph: function.graph,
                variables,
            },
            inputs,
            self.types()?,
        ))
    }

    fn primitive(
        &mut self,
        scope: &Scope,
        name: &str,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let Some(op) = crate::ops::find(name) else {
            return self.error_before(format!("no op is called `{name}`"));
        };
        let inputs = self.operands(scope)?;
        let attrs = self.attrs(op)?;
        Ok((Op::Primitive(op, attrs), inputs, self.types()?))
    }
}
