//! Nodes that contain graphs: branches and loops.

use super::*;

impl Writer<'_> {
    /// A subgraph with inputs like `operands` whose results have the types of `results`.
    fn subgraph(&mut self, keyword: &str, operands: &[Value], results: &[Type], depth: usize) {
        let mut scope: Vec<Value> = operands.iter().map(|v| self.fresh(v.ty)).collect();
        let _ = writeln!(self.text, "{keyword} ({}) {{", typed(&scope));
        if scope.is_empty() {
            scope.push(self.constant(INT));
        }
        self.statements(&mut scope, depth - 1);
        let results: Vec<Value> = results.iter().map(|ty| self.of_type(&scope, *ty)).collect();
        let _ = writeln!(self.text, "return {} }}", listed(&results));
    }

    /// Types for the results of a branch. They are types of values in scope, so that branches often return such values.
    fn result_types(&mut self, scope: &[Value]) -> Vec<Type> {
        let n = 1 + self.choices.below(3);
        self.picks(scope, n).iter().map(|v| v.ty).collect()
    }

    /// Begins a node with subgraphs.
    fn outputs(&mut self, results: &[Type], head: &str) -> Vec<Value> {
        let outputs: Vec<Value> = results.iter().map(|ty| self.fresh(*ty)).collect();
        let _ = writeln!(
            self.text,
            "{} = {head} : {} {{",
            listed(&outputs),
            types(&outputs)
        );
        outputs
    }

    pub(super) fn cond(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let condition = self.of_type(
            scope,
            Type {
                dtype: "bool",
                shape: "",
            },
        );
        let n = self.choices.below(4);
        let (operands, results) = (self.picks(scope, n), self.result_types(scope));
        let head = format!("cond {} ({})", condition.name, listed(&operands));
        let outputs = self.outputs(&results, &head);
        self.subgraph("then", &operands, &results, depth);
        self.subgraph("else", &operands, &results, depth);
        self.text.push_str("}\n");
        scope.extend(outputs);
    }

    pub(super) fn switch(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let index = self.of_type(scope, INT);
        let n = self.choices.below(4);
        let (operands, results) = (self.picks(scope, n), self.result_types(scope));
        let head = format!("switch_case {} ({})", index.name, listed(&operands));
        let outputs = self.outputs(&results, &head);
        for _ in 0..1 + self.choices.below(3) {
            self.subgraph("branch", &operands, &results, depth);
        }
        self.text.push_str("}\n");
        scope.extend(outputs);
    }

    pub(super) fn while_loop(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let count = self.choices.below(4);
        let zero = self.node(INT, format_args!("constant 0"));
        let limit = self.node(INT, format_args!("constant {count}"));
        let (state, fixed) = (self.choices.below(4), self.choices.below(3));
        let first = [vec![zero], self.picks(scope, state)].concat();
        let fixed = [vec![limit], self.picks(scope, fixed)].concat();
        let results: Vec<Type> = first.iter().map(|v| v.ty).collect();
        let outputs = self.outputs(
            &results,
            &format!("while_loop ({}; {})", listed(&first), listed(&fixed)),
        );

        let inputs: Vec<Value> = first
            .iter()
            .chain(&fixed)
            .map(|v| self.fresh(v.ty))
            .collect();
        let (counter, limit) = (&inputs[0].name, &inputs[first.len()].name);
        let head = typed(&inputs);
        let _ = writeln!(
            self.text,
            "cond ({head}) {{ p = less({counter}, {limit}) : bool[] return p }}"
        );
        let _ = writeln!(self.text, "body ({head}) {{");
        let mut inside = inputs.clone();
        self.statements(&mut inside, depth - 1);
        let mut next: Vec<Value> = results[1..]
            .iter()
            .map(|ty| self.of_type(&inside, *ty))
            .collect();
        let one = self.node(INT, format_args!("constant 1"));
        next.insert(
            0,
            self.node(INT, format_args!("add({counter}, {})", one.name)),
        );
        let _ = writeln!(self.text, "return {} }} }}", listed(&next));
        scope.extend(outputs);
    }
}
