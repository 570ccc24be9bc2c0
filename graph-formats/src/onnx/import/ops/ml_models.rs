//! Models of ONNX's domain for classical machine learning: linear models, support vectors, and ensembles of trees.

use graph_ir::ops::{self, Attr, Attrs};
use graph_kernels::{Array, DType};
use rustc_hash::FxHashMap;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("LinearClassifier", Many(linear_classifier)),
    ("LinearRegressor", One(linear_regressor)),
    ("SVMRegressor", One(svm_regressor)),
    ("TreeEnsembleClassifier", Many(tree_classifier)),
    ("TreeEnsembleRegressor", One(tree_regressor)),
];

/// The rows of features as float32.
fn features(n: &Node<'_>, g: &mut Build<'_>) -> Result<(Val, usize)> {
    let x = n.tensor(0)?;
    let x = g.cast(x, DType::F32)?;
    let x = if g.rank(x)? == 1 {
        g.expand_dims(x, 0)?
    } else {
        x
    };
    match g.shape(x).get(1) {
        Some(count) => Ok((x, count)),
        None => Err(Fault::NeedsShape("the number of features".to_owned())),
    }
}

fn floats<'a>(n: &Node<'a>, name: &str) -> Result<&'a [f32]> {
    n.required(name, n.floats(name)?)
}

/// The product with rows of coefficients, and the intercepts.
fn linear(n: &Node<'_>, g: &mut Build<'_>, outputs: usize) -> Result<Val> {
    let (x, count) = features(n, g)?;
    let coefficients = floats(n, "coefficients")?;
    if Some(coefficients.len()) != count.checked_mul(outputs) {
        return invalid(format!(
            "{} coefficients of {count} features for {outputs} results",
            coefficients.len()
        ));
    }
    let weights = g.constant(Array::copy_of(&[outputs, count], coefficients));
    let y = g.matmul(x, weights, true)?;
    match n.floats("intercepts")? {
        Some(bias) if bias.len() == outputs => {
            let bias = g.constant(Array::copy_of(&[outputs], bias));
            g.add(y, bias)
        }
        None | Some([]) => Ok(y),
        Some(bias) => invalid(format!("{} intercepts for {outputs} results", bias.len())),
    }
}

/// What is done with scores at the end.
fn transformed(n: &Node<'_>, g: &mut Build<'_>, scores: Val) -> Result<Val> {
    match n.text("post_transform")?.unwrap_or("NONE") {
        "NONE" => Ok(scores),
        "LOGISTIC" => g.sigmoid(scores),
        "SOFTMAX" => g.softmax(scores, -1),
        other => unsupported(format!("the transformation `{other}`")),
    }
}

/// The labels of classes: integers or strings.
fn labels(n: &Node<'_>, ints: &str, strings: &str) -> Result<Array> {
    if let Some(labels) = n.texts(strings)?.filter(|labels| !labels.is_empty()) {
        return Ok(Array::copy_of(&[labels.len()], &labels));
    }
    match n.ints(ints)? {
        Some(labels) if !labels.is_empty() => Ok(Array::copy_of(&[labels.len()], labels)),
        _ => invalid("the labels are missing"),
    }
}

/// The label of the best score of each row.
fn best(g: &mut Build<'_>, scores: Val, labels: Array) -> Result<Val> {
    let at = g.op(
        &ops::ARGMAX,
        &[scores],
        Attrs::new().with("axis", Attr::Int(-1)),
    )?;
    let labels = g.constant(labels);
    g.gather(labels, at, 0)
}

fn linear_classifier(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let labels = labels(n, "classlabels_ints", "classlabels_strings")?;
    n.int("multi_class")?;
    let scores = linear(n, g, labels.len())?;
    let label = best(g, scores, labels)?;
    Ok(vec![label.into(), transformed(n, g, scores)?.into()])
}

fn linear_regressor(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let outputs = n.int("targets")?.unwrap_or(1);
    let y = linear(n, g, usize::try_from(outputs).unwrap_or(0))?;
    transformed(n, g, y)
}

/// The sum of kernels of the features and the support vectors.
fn svm_regressor(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, count) = features(n, g)?;
    let (coefficients, rho) = (floats(n, "coefficients")?, floats(n, "rho")?);
    let vectors = n.floats("support_vectors")?.unwrap_or_default();
    let supports = n.int("n_supports")?.unwrap_or(0);
    if n.int("one_class")?.unwrap_or(0) != 0 {
        return unsupported("the attribute `one_class`");
    }
    let params = n.floats("kernel_params")?.unwrap_or_default();
    let param = |at: usize, default: f64| params.get(at).map_or(default, |v| f64::from(*v));
    let kind = n.text("kernel_type")?.unwrap_or("LINEAR");
    let kernels = if supports == 0 {
        x
    } else {
        if vectors.len() != coefficients.len().saturating_mul(count) || count == 0 {
            return invalid("the support vectors don't fit the coefficients");
        }
        let vectors = g.constant(Array::copy_of(&[coefficients.len(), count], vectors));
        kernels(
            g,
            kind,
            x,
            vectors,
            [param(0, 1.0), param(1, 0.0), param(2, 3.0)],
        )?
    };
    let weights = g.constant(Array::copy_of(&[1, coefficients.len()], coefficients));
    let y = g.matmul(kernels, weights, true)?;
    let y = g.shift(y, rho.first().map_or(0.0, |rho| f64::from(*rho)))?;
    transformed(n, g, y)
}

/// A kernel of each row of features and each support vector.
fn kernels(
    g: &mut Build<'_>,
    kind: &str,
    x: Val,
    vectors: Val,
    [gamma, shift, degree]: [f64; 3],
) -> Result<Val> {
    if kind == "RBF" {
        let wide = g.expand_dims(x, 1)?;
        let distance = g.sub(wide, vectors)?;
        let squares = g.square(distance)?;
        let sum = g.sum(squares, &[-1], false)?;
        let sum = g.scale(sum, -gamma)?;
        return g.exp(sum);
    }
    let product = g.matmul(x, vectors, true)?;
    if kind == "LINEAR" {
        return Ok(product);
    }
    let scaled = g.scale(product, gamma)?;
    let shifted = g.shift(scaled, shift)?;
    match kind {
        "POLY" => {
            let degree = g.like(degree, shifted)?;
            g.pow(shifted, degree)
        }
        "SIGMOID" => g.tanh(shifted),
        other => unsupported(format!("the kernel `{other}`")),
    }
}

/// The nodes of all trees in one list.
struct Trees {
    features: Vec<i64>,
    thresholds: Vec<f32>,
    /// For each node, where to go if its comparison doesn't hold and if it holds. A leaf stays.
    next: Vec<[i64; 2]>,
    missing_is_true: Vec<bool>,
    roots: Vec<i64>,
    depth: usize,
    mode: String,
    /// The place of each node by tree and number.
    places: FxHashMap<(i64, i64), usize>,
}

/// The most weights of all leaves.
const MAX_WEIGHTS: usize = 1 << 24;

impl Trees {
    fn of(n: &Node<'_>) -> Result<Trees> {
        let ints = |name: &str| n.required(name, n.ints(name)?);
        let (trees, numbers) = (ints("nodes_treeids")?, ints("nodes_nodeids")?);
        let modes = n.texts("nodes_modes")?.unwrap_or_default();
        let (features, thresholds) = (ints("nodes_featureids")?, floats(n, "nodes_values")?);
        let (yes, no) = (ints("nodes_truenodeids")?, ints("nodes_falsenodeids")?);
        let missing = n
            .ints("nodes_missing_value_tracks_true")?
            .unwrap_or_default();
        n.floats("nodes_hitrates")?;
        let count = trees.len();
        let lens = [
            numbers.len(),
            modes.len(),
            features.len(),
            thresholds.len(),
            yes.len(),
            no.len(),
        ];
        if lens.iter().any(|len| *len != count) || !(missing.is_empty() || missing.len() == count) {
            return invalid("the lists of nodes have different lengths");
        }
        let mut places = FxHashMap::default();
        for (place, id) in trees
            .iter()
            .copied()
            .zip(numbers.iter().copied())
            .enumerate()
        {
            if places.insert(id, place).is_some() {
                return invalid("a node of a tree is defined twice");
            }
        }
        let is_leaf = |n: usize| modes[n] == "LEAF";
        let child = |n: usize, number: i64| match places.get(&(trees[n], number)) {
            _ if is_leaf(n) => Ok(n as i64),
            Some(place) => Ok(*place as i64),
            None => invalid("a tree refers to a node that it doesn't have"),
        };
        let both = |n: usize| -> Result<[i64; 2]> { Ok([child(n, no[n])?, child(n, yes[n])?]) };
        let next: Vec<[i64; 2]> = (0..count).map(both).collect::<Result<_>>()?;
        let mut inner = modes.iter().filter(|mode| *mode != "LEAF");
        let mode = inner
            .next()
            .cloned()
            .unwrap_or_else(|| "BRANCH_LEQ".to_owned());
        if inner.any(|other| *other != mode) {
            return unsupported("trees whose nodes compare in different ways");
        }
        let (roots, depth) = roots(trees, &next)?;
        Ok(Trees {
            features: (0..count)
                .map(|n| if is_leaf(n) { 0 } else { features[n] })
                .collect(),
            thresholds: thresholds.to_vec(),
            missing_is_true: (0..count)
                .map(|n| missing.get(n).is_some_and(|flag| *flag != 0))
                .collect(),
            next,
            roots,
            depth,
            mode,
            places,
        })
    }

    /// The leaf of each tree that each row of features reaches: [rows, trees].
    fn leaves(&self, n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
        let (x, count) = features(n, g)?;
        if self
            .features
            .iter()
            .any(|at| usize::try_from(*at).is_ok_and(|at| at >= count) || *at < 0)
        {
            return invalid(format!("a tree asks for more than {count} features"));
        }
        let (features, next) = (g.vector(&self.features), g.vector(self.next.as_flattened()));
        let thresholds = g.constant(Array::copy_of(&[self.thresholds.len()], &self.thresholds));
        let missing = self.missing_is_true.contains(&true);
        let missing = missing.then(|| {
            g.constant(Array::copy_of(
                &[self.missing_is_true.len()],
                &self.missing_is_true,
            ))
        });
        let (rows, trees) = (g.size_at(x, 0)?, g.int(self.roots.len() as i64));
        let shape = g.stack(&[rows, trees], 0)?;
        let roots = g.vector(&self.roots);
        let first = g.broadcast_as(roots, shape)?;
        let dims = [g.shape(x).get(0), Some(self.roots.len())];
        let first = g.of_shape(first, graph_ir::types::Shape::of(dims))?;
        let depth = g.int(self.depth as i64);
        let done = repeat(g, Some(depth), None, &[first], |g, state| {
            let at = state.carried[0];
            let (feature, threshold) = (g.gather(features, at, 0)?, g.gather(thresholds, at, 0)?);
            let value = g.take_along(x, feature, 1)?;
            let mut holds = match self.mode.as_str() {
                "BRANCH_LEQ" => g.less_equal(value, threshold)?,
                "BRANCH_LT" => g.less(value, threshold)?,
                "BRANCH_GTE" => g.greater_equal(value, threshold)?,
                "BRANCH_GT" => g.greater(value, threshold)?,
                "BRANCH_EQ" => g.equal(value, threshold)?,
                "BRANCH_NEQ" => g.not_equal(value, threshold)?,
                other => return unsupported(format!("the comparison `{other}`")),
            };
            if let Some(missing) = missing {
                let (is_nan, tracks) = (g.is_nan(value)?, g.gather(missing, at, 0)?);
                let tracks = g.and(is_nan, tracks)?;
                holds = g.or(holds, tracks)?;
            }
            // One gather, and not one for each outcome: the numbers before it are calculated in one pass.
            let (twice, holds) = (g.add(at, at)?, g.index_of(holds)?);
            let place = g.add(twice, holds)?;
            Ok(Iteration {
                cond: None,
                carried: vec![g.gather(next, place, 0)?],
                rows: Vec::new(),
            })
        })?;
        Ok(done.carried[0])
    }

    /// The sum over the trees of the weights of the leaves, and the base values: [rows, outputs].
    fn scores(&self, n: &Node<'_>, g: &mut Build<'_>, prefix: &str, outputs: usize) -> Result<Val> {
        let list = |name: &str| format!("{prefix}_{name}");
        let ints = |name: &str| n.required(&list(name), n.ints(&list(name))?);
        let (trees, numbers, ids) = (ints("treeids")?, ints("nodeids")?, ints("ids")?);
        let weights = floats(n, &list("weights"))?;
        let count = self.features.len();
        if [numbers.len(), ids.len(), weights.len()] != [trees.len(); 3] {
            return invalid("the lists of weights have different lengths");
        }
        if count.saturating_mul(outputs) > MAX_WEIGHTS {
            return unsupported(format!("{count} nodes with {outputs} weights each"));
        }
        let mut all = vec![0f32; count * outputs];
        for (n, id) in ids.iter().enumerate() {
            let place = self.places.get(&(trees[n], numbers[n]));
            let id = usize::try_from(*id).ok().filter(|id| *id < outputs);
            let (Some(place), Some(id)) = (place, id) else {
                return invalid("a weight of a node or result that there isn't");
            };
            all[place * outputs + id] += weights[n];
        }
        let leaves = self.leaves(n, g)?;
        let all = g.constant(Array::new(&[count, outputs], all));
        let each = g.gather(all, leaves, 0)?;
        let sum = g.sum(each, &[1], false)?;
        match n.floats("base_values")?.unwrap_or_default() {
            [] => Ok(sum),
            base if base.len() == outputs => {
                let base = g.constant(Array::copy_of(&[outputs], base));
                g.add(sum, base)
            }
            base => invalid(format!("{} base values for {outputs} results", base.len())),
        }
    }
}

/// The first nodes of the trees, and the length of the longest way to a leaf.
fn roots(trees: &[i64], next: &[[i64; 2]]) -> Result<(Vec<i64>, usize)> {
    let mut seen = rustc_hash::FxHashSet::default();
    let firsts = (0..trees.len()).filter(|n| seen.insert(trees[*n]));
    let roots: Vec<i64> = firsts.map(|n| n as i64).collect();
    let (mut level, mut depth) = (roots.clone(), 0);
    let mut visited = roots.len();
    while !level.is_empty() {
        let ways = level.iter().map(|n| (*n, next[*n as usize]));
        let inner = ways.filter(|(n, [_, yes])| yes != n);
        level = inner.flat_map(|(_, next)| next).collect();
        visited += level.len();
        depth += usize::from(!level.is_empty());
        if visited > trees.len() {
            return invalid("the nodes of a tree form a circle");
        }
    }
    Ok((roots, depth))
}

fn tree_regressor(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let trees = Trees::of(n)?;
    let outputs = n.int("n_targets")?.unwrap_or(1);
    let outputs = usize::try_from(outputs)
        .ok()
        .filter(|n| (1..=MAX_WEIGHTS).contains(n));
    let Some(outputs) = outputs else {
        return invalid("the attribute `n_targets` is wrong");
    };
    match n.text("aggregate_function")?.unwrap_or("SUM") {
        "SUM" => {}
        other => return unsupported(format!("the aggregate `{other}`")),
    }
    let scores = trees.scores(n, g, "target", outputs)?;
    transformed(n, g, scores)
}

fn tree_classifier(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let trees = Trees::of(n)?;
    let labels = labels(n, "classlabels_int64s", "classlabels_strings")?;
    let ids = n.ints("class_ids")?.unwrap_or_default();
    if labels.len() == 2 && ids.iter().all(|id| *id == ids[0]) {
        return unsupported("two classes with the weights of one");
    }
    let scores = trees.scores(n, g, "class", labels.len())?;
    let label = best(g, scores, labels)?;
    Ok(vec![label.into(), transformed(n, g, scores)?.into()])
}
