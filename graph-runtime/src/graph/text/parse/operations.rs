//! The operations of a graph's text, one function a form: what stands behind `=`.

use super::*;

impl Parser {
    /// Everything behind the `=`: the operation, its operands, and the types of its `outputs` values.
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
            name => self.primitive(scope, name),
        }
    }

    fn constant(&mut self) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let at = self.at();
        let bare = !self.accept('[');
        let values = if bare {
            vec![self.literal()?]
        } else {
            self.list(']', Self::literal)?
        };
        let types = self.types()?;
        let array = match &types[..] {
            [ty] => match ty.shape.to_known() {
                Some(shape) if shape.is_empty() == bare => read_array(ty.dtype, &shape, &values),
                _ => Err(format!("these are not the values of a {ty}")),
            },
            _ => Err("a constant has one type".to_owned()),
        };
        let array = array.map_err(|message| ParseError::new(message, at))?;
        Ok((Op::Constant(Arc::new(array)), vec![], types))
    }

    fn print(&mut self, scope: &Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
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
        Ok((Op::Print(texts), values, vec![]))
    }

    fn assert(&mut self, scope: &Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        self.expect(&Token::Mark('('))?;
        let condition = self.value(scope)?;
        self.expect(&Token::Mark(','))?;
        let message = self.text()?;
        self.expect(&Token::Mark(')'))?;
        Ok((Op::Assert(message), vec![condition], vec![]))
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

    fn update_variable(
        &mut self,
        scope: &mut Scope,
    ) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let variable = self.variable()?;
        let inputs = self.operands(scope)?;
        self.expect(&Token::Mark('{'))?;
        let body = Box::new(self.subgraph(scope, "body")?);
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
            let then_branch = Box::new(self.subgraph(scope, "then")?);
            let else_branch = Box::new(self.subgraph(scope, "else")?);
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
            branches.push(self.subgraph(scope, "branch")?);
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
        let cond = Box::new(self.subgraph(scope, "cond")?);
        let body = Box::new(self.subgraph(scope, "body")?);
        self.expect(&Token::Mark('}'))?;
        Ok((Op::WhileLoop { cond, body }, inputs, types))
    }

    fn fusion(&mut self, scope: &mut Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let inputs = self.operands(scope)?;
        let types = self.types()?;
        self.expect(&Token::Mark('{'))?;
        let body = Box::new(self.subgraph(scope, "body")?);
        self.expect(&Token::Mark('}'))?;
        Ok((Op::Fusion { body }, inputs, types))
    }

    fn call(&mut self, scope: &mut Scope) -> Result<(Op, Vec<ValueId>, Vec<TensorType>)> {
        let at = self.at();
        let key = self.label()?;
        let Some(function) = self.functions.get(&key).cloned() else {
            return Err(ParseError::new("no function of this name stands above", at));
        };
        scope.enclose(function.extent);
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
