//! How the elements of operands are found: a nest of loops over axes, and for each operand the steps between its elements along them.

use smallvec::SmallVec;

/// Numbers along axes, outermost first.
pub type PerAxis<T> = SmallVec<[T; 6]>;

/// The steps between neighbouring elements along each axis, and where the first element is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The index of the first element.
    pub offset: i64,
    /// The steps along the axes; 0 repeats an element.
    pub strides: PerAxis<i64>,
}

impl View {
    /// One element, repeated along this many axes.
    pub fn still(axes: usize) -> View {
        View {
            offset: 0,
            strides: PerAxis::from_elem(0, axes),
        }
    }

    /// All elements of a tensor, in order.
    pub fn of(shape: &[usize]) -> View {
        let mut strides = PerAxis::from_elem(0, shape.len());
        let mut step = 1;
        for (stride, size) in strides.iter_mut().zip(shape).rev() {
            *stride = step;
            step *= *size as i64;
        }
        View { offset: 0, strides }
    }

    /// A tensor of one shape, broadcast to a larger one.
    pub fn broadcast(shape: &[usize], target: &[usize]) -> View {
        let own = View::of(shape);
        let missing = target.len() - shape.len();
        let mut strides = PerAxis::from_elem(0, target.len());
        for (axis, stride) in own.strides.iter().enumerate() {
            if shape[axis] == target[axis + missing] {
                strides[axis + missing] = *stride;
            }
        }
        View { offset: 0, strides }
    }

    /// The axes in another order: axis `i` of the result is axis `order[i]`.
    pub fn permuted(&self, order: &[usize]) -> View {
        View {
            offset: self.offset,
            strides: order.iter().map(|axis| self.strides[*axis]).collect(),
        }
    }

    /// Whether all axes repeat one element.
    pub fn is_one_element(&self) -> bool {
        self.strides.iter().all(|stride| *stride == 0)
    }
}

/// Joins neighbouring axes that all views walk as one, and leaves axes of size 1 out.
pub fn join_axes(dims: &[usize], views: &mut [View]) -> PerAxis<usize> {
    let mut joined = PerAxis::new();
    let mut strides: Vec<PerAxis<i64>> = vec![PerAxis::new(); views.len()];
    for (axis, size) in dims.iter().enumerate().filter(|(_, size)| **size != 1) {
        let continues = |(view, walked): (&View, &PerAxis<i64>)| {
            walked.last() == Some(&(view.strides[axis] * *size as i64))
        };
        if !joined.is_empty() && views.iter().zip(&strides).all(continues) {
            if let Some(last) = joined.last_mut() {
                *last *= size;
            }
            for (view, walked) in views.iter().zip(&mut strides) {
                if let Some(last) = walked.last_mut() {
                    *last = view.strides[axis];
                }
            }
        } else {
            joined.push(*size);
            for (view, walked) in views.iter().zip(&mut strides) {
                walked.push(view.strides[axis]);
            }
        }
    }
    for (view, strides) in views.iter_mut().zip(strides) {
        view.strides = strides;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::{View, join_axes};

    #[test]
    fn axes_that_all_views_walk_as_one_are_joined() {
        let mut views = [View::of(&[2, 3, 4]), View::broadcast(&[4], &[2, 3, 4])];
        let dims = join_axes(&[2, 3, 4], &mut views);
        assert_eq!(dims[..], [6, 4]);
        assert_eq!(views[0].strides[..], [4, 1]);
        assert_eq!(views[1].strides[..], [0, 1]);
    }

    #[test]
    fn axes_of_size_one_are_left_out() {
        let mut views = [View::of(&[1, 5, 1]), View::broadcast(&[], &[1, 5, 1])];
        let dims = join_axes(&[1, 5, 1], &mut views);
        assert_eq!(dims[..], [5]);
        assert_eq!(views[0].strides[..], [1]);
        assert!(views[1].is_one_element());
    }

    #[test]
    fn a_transposed_view_isnt_joined() {
        let mut views = [View::of(&[2, 3]), View::of(&[3, 2]).permuted(&[1, 0])];
        let dims = join_axes(&[2, 3], &mut views);
        assert_eq!(dims[..], [2, 3]);
        assert_eq!(views[1].strides[..], [1, 2]);
    }
}
