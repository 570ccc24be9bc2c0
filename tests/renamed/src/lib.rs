//! A crate that depends on the library under another name, and uses it through a re-export in one module. `crate = …` tells the attribute and the
//! derives where the library is. The macros `graph_print!` and `graph_assert!` find it themselves. The crate's edition is 2018.

#[cfg(test)]
mod tests {
    use tensors::autodiff::custom_gradient;
    use tensors::nn::Module;
    use tensors::prelude::*;

    /// A module that re-exports the library together with items of its own.
    mod exported {
        pub use tensors as graphs;
    }

    #[graph_fn(crate = tensors)]
    fn clipped(x: Tensor<f32>, limit: f32) -> Tensor<f32> {
        graph_assert!(x >= 0.0, "{x} is negative");
        if x > limit {
            tensor(limit)
        } else {
            x
        }
    }

    #[graph_fn(crate = super::tests::exported::graphs)]
    fn sum(items: Tensor<i32>, limit: &State) -> Tensor<i32> {
        let mut sum = tensor(0);
        for item in items {
            if item > &limit.largest {
                continue;
            }
            sum += item;
        }
        graph_print!("the sum is {sum}");
        sum
    }

    #[derive(TraceType, GraphState, Clone)]
    #[graph(crate = exported::graphs)]
    struct State {
        largest: Tensor<i32>,
    }

    #[derive(Module)]
    #[graph(crate = tensors)]
    struct Scale {
        factor: Variable<f32>,
    }

    #[graph_fn(crate = tensors)]
    impl Scale {
        pub fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
            if x > 0.0 {
                x * self.factor.read()
            } else {
                x
            }
        }
    }

    #[graph_fn(crate = tensors, input_signature = [f32[_]])]
    fn doubled(x: Tensor<f32>) -> Tensor<f32> {
        x * 2.0
    }

    #[graph_fn(crate = tensors)]
    fn first(x: Tensor<f32, shape![2, _]>) -> Tensor<f32> {
        x[0]
    }

    #[custom_gradient(crate = tensors)]
    fn straight(x: Tensor<f32>) -> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>) {
        (x.round(), |gradient| gradient)
    }

    #[graph_fn(crate = tensors)]
    fn plain(n: u32) -> u32 {
        if n < 2 {
            n
        } else {
            plain(n - 1) + plain(n - 2)
        }
    }

    #[test]
    fn generated_code_finds_the_library() {
        assert_eq!(clipped(tensor(3.0), 2.0).item(), 2.0);
        let concrete = clipped::concrete(tensor(1.0), 2.0);
        assert_eq!(concrete.expect("a graph").name(), "clipped");
        let state = State { largest: tensor(3) };
        assert_eq!(sum(tensor([1, 5, 3]), &state).item(), 4);
        assert!(!sum::to_code().contains("graph_runtime"));
        assert_eq!(doubled(tensor([1.0, 2.0])).to_vec(), [2.0, 4.0]);
        assert_eq!(first(tensor([[1.0], [2.0]])).to_vec(), [1.0]);
        assert_eq!(plain(10), 55);
    }

    struct Parser {
        at: usize,
        state: Option<(Vec<u8>, usize)>,
    }

    impl Parser {
        fn is_pending(&self) -> bool {
            self.at > 2
        }
        fn text(&self) -> String {
            self.at.to_string()
        }
        #[graph_fn(crate = tensors)]
        pub fn values(&mut self) -> Result<Option<&mut Parser>, String> {
            if self.is_pending() || self.text() == "1" {
                Ok(Some(self))
            } else {
                Err(self.text())
            }
        }
        #[graph_fn(crate = tensors)]
        pub fn next(&mut self) -> Result<Option<u8>, String> {
            match self.state {
                None => {}
                Some((ref items, ref mut at)) => match items.get(*at) {
                    None => self.state = None,
                    Some(b'=') if *at > 1 && self.at == 0 => return Err(self.text()),
                    Some(item) => {
                        *at += 1;
                        return Ok(Some(*item));
                    }
                },
            }
            Ok(None)
        }
    }

    /// Closures of the edition 2018 capture whole variables; those in generated code capture only the fields that they use.
    #[test]
    fn the_edition_is_the_users() {
        let state = Some((b"ab=".to_vec(), 0));
        let mut parser = Parser { at: 0, state };
        let read: Vec<_> = (0..3).map(|_| parser.next()).collect();
        assert_eq!(read, [Ok(Some(b'a')), Ok(Some(b'b')), Err("0".to_owned())]);
        assert_eq!(parser.values().map(|_| ()), Err("0".to_owned()));
        parser.at = 1;
        assert!(matches!(parser.values(), Ok(Some(parser)) if parser.at == 1));
    }

    #[test]
    fn derives_find_the_library() {
        let scale = Scale {
            factor: Variable::new(tensor(4.0)),
        };
        assert_eq!(scale.call(tensor(0.5)).item(), 2.0);
        assert_eq!(Scale::call_function().trace_count(), 1);
        let tape = GradientTape::new();
        let x = tensor(1.25);
        tape.watch(&x);
        let y = straight(x.clone());
        assert_eq!(tape.gradient(&y, &x).map(|g| g.item()), Some(1.0));
    }
}
