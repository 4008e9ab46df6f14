//! Parts of schemas, in the words of JSON Schema.

use serde_json::{Map, Value as Json, json};

/// A field of an object.
#[derive(Clone)]
pub(super) struct Field {
    name: &'static str,
    schema: Json,
    is_required: bool,
}

/// A field that is always there.
pub(super) fn field(name: &'static str, schema: Json) -> Field {
    Field { name, schema, is_required: true }
}

/// A field that may be absent.
pub(super) fn maybe(name: &'static str, schema: Json) -> Field {
    Field { name, schema, is_required: false }
}

/// An object with these fields and no others.
pub(super) fn object(fields: Vec<Field>) -> Json {
    let required: Vec<&str> =
        fields.iter().filter(|field| field.is_required).map(|field| field.name).collect();
    let properties: Map<String, Json> =
        fields.iter().map(|field| (field.name.to_owned(), field.schema.clone())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema with a description, if there is one.
pub(super) fn described(mut schema: Json, about: &str) -> Json {
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    schema
}

fn of_type(kind: &str, about: &str) -> Json {
    described(json!({ "type": kind }), about)
}

pub(super) fn text(about: &str) -> Json {
    of_type("string", about)
}

pub(super) fn flag(about: &str) -> Json {
    of_type("boolean", about)
}

pub(super) fn number(about: &str) -> Json {
    of_type("number", about)
}

pub(super) fn any_object(about: &str) -> Json {
    of_type("object", about)
}

pub(super) fn anything(about: &str) -> Json {
    described(json!({}), about)
}

/// A whole number within bounds, if there are any.
pub(super) fn whole(
    least: impl Into<Option<i64>>,
    most: impl Into<Option<i64>>,
    about: &str,
) -> Json {
    let mut schema = of_type("integer", about);
    for (name, bound) in [("minimum", least.into()), ("maximum", most.into())] {
        if let Some(bound) = bound {
            schema[name] = bound.into();
        }
    }
    schema
}

/// A whole number that is not negative.
pub(super) fn count(about: &str) -> Json {
    whole(0, None, about)
}

pub(super) fn one_of(words: &[&str], about: &str) -> Json {
    let mut schema = text(about);
    schema["enum"] = words.into();
    schema
}

pub(super) fn list(items: Json, about: &str) -> Json {
    described(json!({ "type": "array", "items": items }), about)
}

/// A list of this length.
pub(super) fn exactly(length: u64, mut list: Json) -> Json {
    list["minItems"] = length.into();
    list["maxItems"] = length.into();
    list
}

/// An object with values of one kind under any names.
pub(super) fn map_of(values: Json, about: &str) -> Json {
    described(json!({ "type": "object", "additionalProperties": values }), about)
}

/// A value of a simple type, or null.
pub(super) fn nullable(mut schema: Json) -> Json {
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

/// An object, or null.
pub(super) fn or_null(schema: Json) -> Json {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// The schema of this name.
pub(super) fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
