//! The tuples for which traits are implemented: the types and positions of their items, in one place.

/// Calls a macro with the tuples of up to six items.
macro_rules! up_to_six {
    ($implement:ident) => {
        $implement! {
            (A 0)
            (A 0, B 1)
            (A 0, B 1, C 2)
            (A 0, B 1, C 2, D 3)
            (A 0, B 1, C 2, D 3, E 4)
            (A 0, B 1, C 2, D 3, E 4, F 5)
        }
    };
}
pub(crate) use up_to_six;

/// Calls a macro with the tuples of up to twelve items.
macro_rules! up_to_twelve {
    ($implement:ident) => {
        $crate::tuples::up_to_six!($implement);
        $implement! {
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
            (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
        }
    };
}
pub(crate) use up_to_twelve;
