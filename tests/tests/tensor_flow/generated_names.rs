//! The user's variables may have the names of variables in generated code: every form is compiled with each such name.
#![allow(unused_labels, reason = "a form has a label whether it is used or not")]

use std::fs;
use std::path::Path;

macro_rules! every_form_with_a_variable_called {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            three_ways! { $name: f(int(3), int(1)), f(int(-3), int(2)), f(int(0), int(0)), f(int(40), int(-7));
                fn f(n: Int, m: Int) -> Int {
                    let mut total = int(0);
                    let mut $name = n;
                    if $name > m {
                        $name += 1;
                    } else if $name < 0 && m > 0 {
                        $name = m;
                    }
                    total += $name;
                    while $name < 10 && $name > -10 {
                        $name += 4;
                        if $name == 9 {
                            break;
                        }
                    }
                    total = total * 3 + $name;
                    let $name = loop {
                        total += 1;
                        if total > 20 {
                            break total - 1;
                        }
                    };
                    for $name in 0..m {
                        if $name == 1 {
                            continue;
                        }
                        total += $name;
                    }
                    for ($name, other) in [(n, m), (m, n)] {
                        if $name == n && other == m {
                            total += $name - other;
                        }
                    }
                    let $name = match $name {
                        0 => m,
                        $name if $name > 25 => $name - 1,
                        $name => $name + n,
                    };
                    let $name = 'found: {
                        if $name > 30 {
                            break 'found $name;
                        }
                        $name * 2
                    };
                    let pick = |$name: Int| if $name > 0 { $name } else { -$name };
                    total += pick($name);
                    let mut list = [n, m, n];
                    list[0] += $name + list[1];
                    list[1] = list[0].clone();
                    total += list[0] + list[1].clone() + list[2];
                    let $name = [[Some(total)], [Some($name)]][list.len() - 2].clone()[0].clone().unwrap();
                    let table = [[m, n], [n, m]];
                    total += table[list.len().min(1)][list.len() - 2].clone() * $name;
                    let late;
                    if $name > 3 {
                        late = $name;
                    } else {
                        late = m;
                    }
                    let both = late > 0 || {
                        let $name = m > 0;
                        $name
                    };
                    assert!($name == $name || late == late, "never");
                    assert_eq!($name, $name);
                    if late > 2 {
                        total += Some($name.clone()).unwrap();
                        let $name = Some(late.clone());
                        total += $name.expect("a number");
                    }
                    if both {
                        return total + $name;
                    }
                    if let Some($name) = Some(total) && $name > 5 {
                        return $name + late;
                    }
                    total - $name
                }
            }
        )*
    };
}

/// The forms that have no place in the program above.
macro_rules! every_other_form_with_a_variable_called {
    ($($name:ident)*) => {
        $(
            three_ways! { $name: f(int(3), int(1)), f(int(-3), int(2)), f(int(0), int(0)), f(int(40), int(-7));
                fn f(n: Int, m: Int) -> Maybe {
                    macro_rules! twice {
                        ($value:expr) => {
                            $value.clone() + $value
                        };
                    }
                    let mut total = int(0);
                    let $name = match (n, m) {
                        (0, 0) => m + 5,
                        (0, _) => n,
                        (_, 1) => n + 2,
                        _ => m,
                    };
                    let $name: Int = if $name > 2 { 3 } else { 4 } + $name;
                    if [5, 6, 7].contains(&$name) {
                        total += 1;
                    }
                    if $name < -1000 {
                        panic!("{:?}", $name);
                    }
                    assert!($name < 1000, "{:?}", $name);
                    assert!([n < 1000, m < 1000][0].clone());
                    let lists = [Some($name), None];
                    if m > 0 {
                        total += twice!($name);
                        total += lists[0].clone().unwrap();
                    }
                    let taken = |other: Int| if other > $name { other } else { $name + m };
                    total += taken($name) + taken(n);
                    let mut stack = vec![n, m, $name];
                    while let Some($name) = stack.pop() {
                        if $name > 3 {
                            continue;
                        }
                        total += $name;
                    }
                    let mut $name = Pair { one: $name, two: n };
                    $name = if total > 3 { Pair { one: m, ..$name } } else { $name };
                    if generic(float(3.0)) > 1.0 {
                        $name.one += 1;
                    }
                    $name.add(m);
                    total += $name.two;
                    let $name = ahead(Some($name.one))? + 1;
                    'outer: loop {
                        for $name in [n, m] {
                            total += $name;
                            if total > 30 {
                                break 'outer;
                            }
                            if $name == 0 {
                                total += 7;
                                continue 'outer;
                            }
                        }
                        total += 11;
                    }
                    nothing(&mut total, $name);
                    if total < -100000 {
                        unreachable!("{:?}", $name);
                    }
                    Some(total)
                }
                type Maybe = Option<Int>;
                type Nothing = ();
                #[derive(Clone, GraphState)]
                struct Pair<T> {
                    one: T,
                    two: T,
                }
                #[graph_fn]
                impl Pair<Int> {
                    fn add(&mut self, $name: Int) {
                        if $name > 0 {
                            self.two += $name;
                        }
                        let mut more = move |other: Int| self.one += other;
                        more($name);
                    }
                }
                #[graph_fn]
                fn generic<T: std::ops::Mul<f32, Output = T> + std::ops::MulAssign<f32>>(mut $name: T) -> T {
                    $name *= 0.5;
                    $name * 2.0
                }
                #[graph_fn]
                fn ahead($name: Option<Int>) -> Maybe {
                    let $name = $name?;
                    Some($name)
                }
                #[graph_fn]
                fn nothing(total: &mut Int, $name: Int) -> Nothing {
                    if $name > 0 {
                        *total += 1;
                    }
                }
            }
        )*
    };
}

/// Gives the names to a macro.
macro_rules! with_each_name {
    ($forms:ident) => {
        $forms! {
            at block_stmt call chain for_stmt if_stmt item items kind left loop_stmt match_stmt message missing moved number position result right value values while_stmt
            trace kind_2 if_stmt_2 ag__ argument_0 concrete
        }
    };
}

with_each_name!(every_form_with_a_variable_called);

mod other_forms {
    with_each_name!(every_other_form_with_a_variable_called);
}

/// The names are read from the macro's sources, so that none is missing here.
#[test]
fn every_generated_name_is_tried() {
    let mut generated = Vec::new();
    collect(Path::new("../graph-macros/src"), &mut generated);
    assert!(generated.len() > 10, "{generated:?}");
    let missing: Vec<_> = generated
        .iter()
        .filter(|name| !NAMES.contains(&name.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Collects the names that are passed to the functions that make names.
fn collect(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the macro's sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, names);
        } else if let Ok(source) = fs::read_to_string(&path) {
            for makes in [
                "generated(\"",
                "fresh(\"",
                "region(\"",
                "_loop(\"",
                "Ident::new(\"",
            ] {
                let behind = source.split(makes).skip(1);
                names.extend(behind.filter_map(|text| Some(text.split_once('"')?.0.to_owned())));
            }
        }
    }
    // Keywords of Rust aren't variables, and names like `value__` are reserved for generated code.
    names.retain(|name| !["self", "impl"].contains(&name.as_str()) && !name.ends_with("__"));
}
