//! Hyperparameters, for TensorBoard's tab "HParams": a run says with which values it began and how it ended, and an experiment says which
//! parameters and metrics the table has.

use std::hash::{DefaultHasher, Hash, Hasher};

use prost::Message;

use super::file::now;
use super::proto::h_params_plugin_data::Data;
use super::proto::{
    DataClass, DataType, Experiment, HParamInfo, HParamType, HParamValue, HParamsPluginData,
    MetricInfo, MetricName, SessionEndInfo, SessionStartInfo, Status, TensorProto, h_param_value,
    summary,
};
use super::value::{shape, value};

/// The value of a hyperparameter: `0.1.into()`, `"adam".into()`, `true.into()`.
#[derive(Clone, Debug, PartialEq)]
pub enum HParam {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Bool(bool),
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl From<$number> for HParam {
            fn from(number: $number) -> HParam {
                HParam::Number(number.into())
            }
        }
    )* };
}
numbers! { f64 f32 i32 u32 }

impl From<&str> for HParam {
    fn from(text: &str) -> HParam {
        HParam::Text(text.to_owned())
    }
}

impl From<bool> for HParam {
    fn from(value: bool) -> HParam {
        HParam::Bool(value)
    }
}

impl HParam {
    fn ty(&self) -> HParamType {
        match self {
            HParam::Number(_) => HParamType::DataTypeFloat64,
            HParam::Text(_) => HParamType::DataTypeString,
            HParam::Bool(_) => HParamType::DataTypeBool,
        }
    }

    fn message(&self) -> HParamValue {
        let kind = match self {
            HParam::Number(number) => h_param_value::Kind::NumberValue(*number),
            HParam::Text(text) => h_param_value::Kind::StringValue(text.clone()),
            HParam::Bool(value) => h_param_value::Kind::BoolValue(*value),
        };
        HParamValue { kind: Some(kind) }
    }
}

/// Which parameters and metrics (tags of scalars) the table has.
pub fn experiment(parameters: &[(&str, HParam)], metrics: &[&str]) -> summary::Value {
    let parameter = |(name, value): &(&str, HParam)| HParamInfo {
        name: (*name).to_owned(),
        r#type: value.ty().into(),
    };
    let metric = |tag: &&str| MetricInfo {
        name: Some(MetricName {
            group: String::new(),
            tag: (*tag).to_owned(),
        }),
    };
    data(
        "_hparams_/experiment",
        Data::Experiment(Experiment {
            time_created_secs: now(),
            hparam_infos: parameters.iter().map(parameter).collect(),
            metric_infos: metrics.iter().map(metric).collect(),
        }),
    )
}

/// The values with which a run begins. Runs with the same values are one row of the table.
pub fn session_start(parameters: &[(&str, HParam)]) -> summary::Value {
    let named = parameters.iter();
    let start = SessionStartInfo {
        hparams: named
            .map(|(name, value)| ((*name).to_owned(), value.message()))
            .collect(),
        ..SessionStartInfo::default()
    };
    let mut hasher = DefaultHasher::new();
    start.encode_to_vec().hash(&mut hasher);
    data(
        "_hparams_/session_start_info",
        Data::SessionStartInfo(SessionStartInfo {
            group_name: format!("{:016x}", hasher.finish()),
            start_time_secs: now(),
            ..start
        }),
    )
}

/// How a run ended.
pub fn session_end(failed: bool) -> summary::Value {
    let status = match failed {
        true => Status::Failure,
        false => Status::Success,
    };
    data(
        "_hparams_/session_end_info",
        Data::SessionEndInfo(SessionEndInfo {
            status: status.into(),
            end_time_secs: now(),
        }),
    )
}

/// The plugin reads the metadata. The tensor is there because readers of events expect one.
fn data(tag: &str, data: Data) -> summary::Value {
    let content = HParamsPluginData { data: Some(data) }.encode_to_vec();
    let empty = TensorProto {
        dtype: DataType::DtFloat.into(),
        tensor_shape: Some(shape(&[0])),
        ..TensorProto::default()
    };
    value(tag, "hparams", content, DataClass::Tensor, Some(empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(value: &summary::Value) -> Data {
        let metadata = value.metadata.as_ref().unwrap();
        let plugin = metadata.plugin_data.as_ref().unwrap();
        assert_eq!(plugin.plugin_name, "hparams");
        let data = HParamsPluginData::decode(&plugin.content[..]).unwrap();
        data.data.unwrap()
    }

    #[test]
    fn runs_with_the_same_values_are_one_group() {
        let group = |rate: f64| match content(&session_start(&[
            ("rate", rate.into()),
            ("nesterov", true.into()),
        ])) {
            Data::SessionStartInfo(start) => {
                let number = start.hparams["rate"].kind.clone();
                assert_eq!(number, Some(h_param_value::Kind::NumberValue(rate)));
                start.group_name
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(group(0.0), group(0.0));
        assert_ne!(group(0.0), group(0.1));
    }

    #[test]
    fn the_table_knows_names_and_types() {
        let value = experiment(&[("rate", 0.1.into()), ("rule", "adam".into())], &["loss"]);
        assert_eq!(value.tag, "_hparams_/experiment");
        let Data::Experiment(experiment) = content(&value) else {
            panic!("no experiment")
        };
        let names = experiment
            .hparam_infos
            .iter()
            .map(|info| (&info.name[..], info.r#type()));
        let expected = [
            ("rate", HParamType::DataTypeFloat64),
            ("rule", HParamType::DataTypeString),
        ];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        assert_eq!(
            experiment.metric_infos[0].name.as_ref().unwrap().tag,
            "loss"
        );
    }
}
