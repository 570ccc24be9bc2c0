//! The object graph of TensorFlow 2: a tree of objects whose leaves are variables and functions. The checkpoint has the same objects.

use std::collections::{BTreeMap, BTreeSet};

use graph_ir::error::{Error, Location, Result};
use prost::Message;

use super::{Model, OBJECT_GRAPH, VALUE, VARIABLES};
use crate::tensorflow::bundle::Bundle;
use crate::tensorflow::proto::saved_object::Kind;
use crate::tensorflow::proto::trackable_object_graph::TrackableObject;
use crate::tensorflow::proto::trackable_object_graph::trackable_object::{
    ObjectReference, SerializedTensor,
};
use crate::tensorflow::proto::{
    SavedObject, SavedUserObject, SavedVariable, TrackableObjectGraph, VersionDef,
};
use crate::tensorflow::types::{data_type, shape_proto};

/// The objects.
pub(super) struct Objects {
    pub nodes: Vec<SavedObject>,
    /// The nodes of the variables, by their positions in the model.
    pub variables: Vec<i32>,
    /// The nodes of objects that stand for a part of a path.
    folders: BTreeMap<String, i32>,
}

/// The kinds of objects without a class.
pub(super) const PLAIN: &str = "_generic_user_object";

impl Objects {
    /// The tree with a model's variables.
    pub fn new(model: &Model) -> Objects {
        let mut objects = Objects {
            nodes: vec![object(PLAIN)],
            variables: Vec::new(),
            folders: BTreeMap::new(),
        };
        for variable in &model.variables {
            let node = objects.add(SavedObject {
                kind: Some(Kind::Variable(SavedVariable {
                    dtype: data_type(variable.value.dtype()) as i32,
                    shape: Some(shape_proto(&variable.shape)),
                    trainable: variable.is_trainable,
                    name: variable.name.clone(),
                    ..SavedVariable::default()
                })),
                ..SavedObject::default()
            });
            objects.variables.push(node);
            objects.place(&variable.name, node);
        }
        let all = objects.add(object("trackable_list_wrapper"));
        for (at, node) in objects.variables.clone().into_iter().enumerate() {
            objects.child(all, &at.to_string(), node);
        }
        objects.child(0, "variables", all);
        objects
    }

    /// Adds an object.
    pub fn add(&mut self, object: SavedObject) -> i32 {
        self.nodes.push(object);
        self.nodes.len() as i32 - 1
    }

    /// Makes an object a child of another, under a name.
    pub fn child(&mut self, parent: i32, name: &str, node: i32) {
        let reference = ObjectReference {
            node_id: node,
            local_name: name.to_owned(),
        };
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.children.push(reference);
        }
    }

    /// Refuses a model of which two objects would have one name, as a method and a variable of the root, or two variables one place in the
    /// checkpoint: the later one would hide the other.
    pub fn check(&self, model: &Model) -> Result<()> {
        let refuse = |name: &str| {
            let message = format!("a SavedModel can't hold two objects of the name `{name}`");
            Err(Error::trace(message, Location::unknown()))
        };
        for node in &self.nodes {
            let mut names = BTreeSet::new();
            let mut children = node.children.iter();
            if let Some(twice) = children.find(|child| !names.insert(&child.local_name)) {
                return refuse(&twice.local_name);
            }
        }
        let mut keys = BTreeSet::new();
        let mut variables = model.variables.iter();
        match variables.find(|variable| !keys.insert(key(&variable.name))) {
            Some(twice) => refuse(&twice.name),
            None => Ok(()),
        }
    }

    /// Places an object at the end of a path of names, `layers.0.kernel`.
    fn place(&mut self, path: &str, node: i32) {
        let Some((folder, name)) = path.rsplit_once('.') else {
            self.child(0, path, node);
            return;
        };
        let (mut parent, mut so_far) = (0, String::new());
        for part in folder.split('.') {
            so_far.push('.');
            so_far.push_str(part);
            parent = match self.folders.get(&so_far) {
                Some(known) => *known,
                None => {
                    let made = self.add(object(PLAIN));
                    self.child(parent, part, made);
                    self.folders.insert(so_far.clone(), made);
                    made
                }
            };
        }
        self.child(parent, name, node);
    }
}

/// An object of a kind.
pub(super) fn object(identifier: &str) -> SavedObject {
    SavedObject {
        kind: Some(Kind::UserObject(SavedUserObject {
            identifier: identifier.to_owned(),
            version: Some(VersionDef {
                producer: 1,
                min_consumer: 1,
                bad_consumers: Vec::new(),
            }),
            metadata: String::new(),
        })),
        ..SavedObject::default()
    }
}

/// The name of a variable's value in the checkpoint.
pub(super) fn key(name: &str) -> String {
    format!("{}{VALUE}", name.replace('.', "/"))
}

/// The files of the variables' values.
pub(super) fn checkpoint(model: &Model, objects: &Objects) -> [(String, Vec<u8>); 2] {
    let mut bundle = Bundle::new();
    let plain = |object: &SavedObject| TrackableObject {
        children: object.children.clone(),
        ..TrackableObject::default()
    };
    let mut graph = TrackableObjectGraph {
        nodes: objects.nodes.iter().map(plain).collect(),
    };
    for (variable, node) in model.variables.iter().zip(&objects.variables) {
        bundle.insert(key(&variable.name), variable.value.clone());
        if let Some(object) = graph.nodes.get_mut(*node as usize) {
            object.attributes.push(SerializedTensor {
                name: "VARIABLE_VALUE".to_owned(),
                full_name: variable.name.clone(),
                checkpoint_key: key(&variable.name),
            });
        }
    }
    bundle.insert_bytes(OBJECT_GRAPH, graph.encode_to_vec());
    let (index, data) = bundle.to_bytes();
    [
        (format!("{VARIABLES}.index"), index),
        (format!("{VARIABLES}.data-00000-of-00001"), data),
    ]
}
