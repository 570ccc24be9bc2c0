//! Structured state: tuples, arrays, vectors, maps, options and structs of tensors, changed as wholes and
//! in their parts.

use std::collections::{BTreeMap, HashMap};

use graph_runtime::{GraphState, TraceType};

three_ways! { arrays: f(int(2)), f(int(-2));
    fn f(x: Int) -> [Int; 3] {
        let mut a = [int(1), int(2), int(3)];
        if x > 0 {
            a[0] += x;
            a.swap(1, 2);
        } else {
            a = [a[2].clone(), a[0].clone(), int(0)];
        }
        a
    }
}

three_ways! { vectors: f(int(3)), f(int(0));
    fn f(n: Int) -> Vec<Int> {
        let mut v = vec![int(1), int(10), int(100)];
        for i in 0..n {
            for k in 0..3 {
                v[k] += i;
            }
            if v[0] > 1 {
                v[1] *= 2;
                v.rotate_left(1);
            }
        }
        v
    }
}

three_ways! { a_vector_pushed_to_in_both_branches: f(int(3)), f(int(-3));
    fn f(x: Int) -> Vec<Int> {
        let mut v = Vec::new();
        if x > 0 {
            v.push(x.clone());
            v.push(x + 1);
        } else {
            v.push(-x);
            v.push(int(0));
        }
        v.push(x);
        v
    }
}

three_ways! { a_vector_filled_by_a_rust_loop: f(int(3));
    fn f(x: Int) -> Vec<Int> {
        let mut v = Vec::new();
        for i in 0..4 {
            let y = if x > i { x * i } else { int(-1) };
            v.push(y);
        }
        v
    }
}

three_ways! { maps: f(int(3)), f(int(0));
    fn f(n: Int) -> Vec<Int> {
        let mut map = HashMap::from([("a", int(1)), ("b", int(2))]);
        let mut tree: BTreeMap<u8, Int> = BTreeMap::new();
        tree.insert(7, int(0));
        for i in 0..n {
            *map.get_mut("a").unwrap() += i;
            if i > 1 {
                map.insert("b", int(50));
                tree.insert(7, i);
            }
        }
        vec![map["a"].clone(), map["b"].clone(), tree[&7].clone()]
    }
}

three_ways! { options: f(int(3)), f(int(-3));
    fn f(x: Int) -> Option<Int> {
        let mut best = Some(int(0));
        let nothing: Option<Int> = None;
        if x > 0 {
            best = Some(x);
        } else if let Some(b) = &mut best {
            *b -= 10;
        }
        if nothing.is_none() { best } else { nothing }
    }
}

mod tensors_only {
    use super::*;
    use crate::support::{assert_ways, outcome};
    use graph_runtime::prelude::*;

    #[derive(Clone, TraceType, GraphState)]
    struct Particle {
        position: Tensor<f32>,
        velocity: Tensor<f32>,
        bounces: Tensor<i32>,
    }

    impl Particle {
        fn still(at: f32) -> Particle {
            Particle {
                position: tensor(at),
                velocity: tensor(0.0),
                bounces: tensor(0),
            }
        }

        #[graph_fn]
        pub fn step(&mut self, dt: f32) {
            self.velocity -= 10.0 * dt;
            self.position += &self.velocity * dt;
            if self.position < 0.0 {
                self.position = -self.position.clone();
                self.velocity = -self.velocity.clone();
                self.bounces += 1;
            }
        }
    }

    #[graph_fn]
    fn fall(mut p: Particle, steps: Tensor<i32>) -> Particle {
        for _ in 0..steps {
            p.step(0.5);
            if p.bounces > 1 {
                break;
            }
        }
        p
    }

    /// The same over plain numbers.
    fn fall_plain(mut position: f32, steps: i32) -> String {
        let (mut velocity, mut bounces) = (0.0f32, 0);
        for _ in 0..steps {
            velocity -= 10.0 * 0.5;
            position += velocity * 0.5;
            if position < 0.0 {
                (position, velocity) = (-position, -velocity);
                bounces += 1;
            }
            if bounces > 1 {
                break;
            }
        }
        crate::support::Shown::shown(&(position, velocity, bounces))
    }

    #[test]
    fn structs_of_tensors() {
        let starts = [(4.0, 0), (4.0, 2), (4.0, 5), (40.0, 30)];
        let expected: Vec<String> = starts.iter().map(|(at, n)| fall_plain(*at, *n)).collect();
        assert_ways(&expected, || {
            let run = |(at, n): &(f32, i32)| {
                let p = fall(Particle::still(*at), tensor(*n));
                (p.position, p.velocity, p.bounces)
            };
            starts.iter().map(|start| outcome(|| run(start))).collect()
        });
    }

    #[test]
    fn a_method_changes_its_struct() {
        let run = || {
            let mut p = Particle::still(1.0);
            p.step(0.5);
            p.step(0.5);
            (p.position, p.velocity, p.bounces)
        };
        assert_ways(&[fall_plain(1.0, 2)], || vec![outcome(run)]);
    }
}

three_ways! { tuples: f(int(3)), f(int(0));
    fn f(n: Int) -> (Int, (Int, Float)) {
        let mut state = (int(0), (int(1), float(0.5)));
        for i in 0..n {
            state.0 += i;
            state.1.0 *= 2;
            if state.0 > 0 {
                state.1 = (state.1.0, state.1.1 + 1.0);
            }
        }
        state
    }
}

three_ways! { nested_containers: f(int(2));
    fn f(n: Int) -> Vec<(Int, Vec<Int>)> {
        let mut state = vec![(int(0), vec![int(1)]), (int(5), vec![int(2), int(3)])];
        for i in 0..n {
            state[0].0 += 1;
            state[1].1[0] *= 3;
            if i > 0 {
                let (head, tail) = &mut state[1];
                *head -= 1;
                tail[1] += head.clone();
            }
        }
        state
    }
}

three_ways! { boxes: f(int(2)), f(int(-2));
    fn f(x: Int) -> Int {
        let mut b = Box::new(x);
        if *b > 0 {
            *b += 1;
        } else {
            b = Box::new(int(9));
        }
        *b * 10
    }
}
