//! The place of a variable: updates are atomic, none is lost, and a value that was read doesn't change.

use graph_runtime::{Array, DType};
use loom::sync::Arc;
use loom::thread;

use crate::device::Storage;
use crate::graph::TensorType;
use crate::place::Place;

fn place() -> Arc<Place> {
    let array = Array::new(&[2], vec![0, 0]);
    let ty = TensorType::new(DType::I32, graph_runtime::graph::Shape::known(&[2]));
    Arc::new(Place::new("v", ty, array).unwrap())
}

/// Adds one like a run does: in place unless somebody holds the value.
fn add_one(place: &Place) {
    place.write(|held| {
        let one_more = |array: &mut Array| {
            let values = array.values_mut::<i32>().unwrap();
            values[0] += 1;
            thread::yield_now();
            values[1] += 1;
        };
        if let Some(array) = held.as_host_mut() {
            return one_more(array);
        }
        let mut new = Array::clone(&held.to_host().unwrap());
        one_more(&mut new);
        *held = new.into();
    });
}

fn whole(held: &Storage) -> i32 {
    let array = held.to_host().unwrap();
    let values = array.values::<i32>().unwrap();
    assert_eq!(values[0], values[1], "half of an update");
    values[0]
}

#[test]
fn updates_are_whole_and_none_is_lost() {
    loom::model(|| {
        let place = place();
        let threads =
            [place.clone(), place.clone()].map(|place| thread::spawn(move || add_one(&place)));
        let (first, second) = (whole(&place.read()), whole(&place.read()));
        assert!(first <= second);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(whole(&place.read()), 2);
    });
}

#[test]
fn what_was_read_stays() {
    loom::model(|| {
        let place = place();
        let other = place.clone();
        let thread = thread::spawn(move || add_one(&other));
        let read = place.read();
        let before = whole(&read);
        thread.join().unwrap();
        assert_eq!((whole(&read), whole(&place.read())), (before, 1));
    });
}
