//! The description of the interface for programs (OpenAPI 3.1), made of the table of questions.

mod schema;
mod schemas;

use serde_json::{Map, Value as Json, json};

use crate::program::answers::questions::{QUESTIONS, Row};
use crate::program::serve::description::schema::{field, object, one_of, reference};

/// The addresses of the list of tables, and of one table.
pub(super) const TABLES: &str = "/api/tables";
pub(super) const TABLE: &str = "/api/tables/{name}";

/// The address of a question.
pub(super) fn address(row: &Row) -> String {
    match row.name {
        "" => TABLE.to_owned(),
        name => format!("{TABLE}/{name}"),
    }
}

/// The whole description.
pub(super) fn openapi() -> Json {
    let mut paths = Map::new();
    let mut add = |address: &str, methods: Json| paths.insert(address.to_owned(), methods);
    let wrong = |status| (status, Row::USUAL.wrong);
    let list = in_json(&reference("Tables"));
    add(TABLES, json!({ "get": operation("tables", "The tables", &[], list, &[wrong(400)]) }));
    for row in QUESTIONS {
        let mut methods = json!({ "get": of_row(row) });
        if row.takes_batch {
            methods["post"] = batch(row);
        }
        add(&address(row), methods);
    }
    let ok = object(vec![field("status", one_of(&["ok"], "`ok`"))]);
    let description = in_json(&json!({ "type": "object" }));
    let counters = in_type("text/plain", &json!({ "type": "string" }));
    for (address, id, about, answer) in [
        ("/api/openapi.json", "openapi", "This description", description),
        ("/health", "health", "Whether the server answers", in_json(&ok)),
        ("/metrics", "metrics", "Counters in the text format of Prometheus", counters),
    ] {
        add(address, json!({ "get": operation(id, about, &[], answer, &[]) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "retrograde",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Questions about tables of solved games. Distances are in plies.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": schemas() },
    })
}

/// All schemas by their names.
fn schemas() -> Map<String, Json> {
    schemas::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// The question of a row.
fn of_row(row: &Row) -> Json {
    let own = row.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "in": "query",
            "description": parameter.about,
            "schema": parameter.schema(),
        })
    });
    let parameters: Vec<Json> = std::iter::once(name()).chain(own).collect();
    let answer = match row.schema {
        Some(schema) => in_json(&reference(schema)),
        None => in_type("image/svg+xml", &json!({ "type": "string" })),
    };
    let mut errors =
        vec![(400, row.wrong), (404, row.missing), (500, "The file of the table can't be read")];
    if row.needs_distances {
        errors.push((409, "The table has outcomes only, and the question needs distances"));
    }
    if row.is_search {
        errors.push((503, BUSY));
    }
    operation(row.id, row.about, &parameters, answer, &errors)
}

const BUSY: &str = "Too much is asked at once";

/// The question of a row about many positions.
fn batch(row: &Row) -> Json {
    let text = in_type("application/x-ndjson", &json!({ "type": "string" }));
    let errors = [
        (400, row.wrong),
        (404, row.missing),
        (413, "The body is too long"),
        (415, "The body is of another type"),
        (503, BUSY),
    ];
    let about = "Many positions: a JSON string a line; at most 100,000 lines and 16 MiB";
    let mut operation = operation("batch", about, &[name()], text.clone(), &errors);
    operation["requestBody"] = json!({ "required": true, "content": text });
    operation["responses"]["200"]["description"] =
        "For each line a Position, or an object with `state`, `error` and `code`".into();
    operation
}

/// The name of a table in an address.
fn name() -> Json {
    json!({
        "name": "name",
        "in": "path",
        "required": true,
        "description": "The name of the file or folder without its ending",
        "schema": { "type": "string", "minLength": 1 },
    })
}

fn in_type(kind: &str, schema: &Json) -> Json {
    json!({ kind: { "schema": schema } })
}

fn in_json(schema: &Json) -> Json {
    in_type("application/json", schema)
}

/// A question to an address, its answer, and its errors beside those of all addresses.
fn operation(
    id: &str,
    about: &str,
    parameters: &[Json],
    answer: Json,
    errors: &[(u16, &str)],
) -> Json {
    let of_all =
        [(408, "The answer took too long"), (421, "The request is meant for another host")];
    let mut responses = Map::new();
    responses.insert("200".into(), json!({ "description": "The answer", "content": answer }));
    let mut errors = [errors, &of_all].concat();
    errors.sort_unstable();
    for (status, about) in errors {
        let content = in_type("application/problem+json", &reference("Problem"));
        responses.insert(status.to_string(), json!({ "description": about, "content": content }));
    }
    json!({ "operationId": id, "summary": about, "parameters": parameters, "responses": responses })
}
