//! Makes one script of the page's modules. They stay separate files for whoever reads and changes them.
//!
//! A module becomes a function that is called once and returns the module's exports. It is called after
//! those of the modules that it imports, so that imports may not form a circle. An import or an export
//! stands on one line, and imports come first.

/// The script of a module and all that it imports. `modules` are the names and texts of all modules.
pub(crate) fn bundle(modules: &[(&str, &str)], first: &str) -> String {
    let (mut script, mut done) = (String::new(), Vec::new());
    add(modules, first, &mut done, &mut script);
    script
}

fn add<'m>(
    modules: &[(&'m str, &'m str)],
    name: &str,
    done: &mut Vec<&'m str>,
    script: &mut String,
) {
    let Some(&(name, text)) = modules.iter().find(|(known, _)| *known == name) else { return };
    if done.contains(&name) {
        return;
    }
    done.push(name);
    let mut body = String::new();
    let mut exports: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some((names, from)) = import(line) {
            add(modules, from, done, script);
            body.push_str(&format!("const {names} = {};\n", variable(from)));
        } else if !line.trim_start().starts_with("//") && !line.trim().is_empty() {
            let own = line.strip_prefix("export ");
            exports.extend(own.and_then(declared));
            body.push_str(own.unwrap_or(line));
            body.push('\n');
        }
    }
    let (variable, exports) = (variable(name), exports.join(", "));
    script.push_str(&format!(
        "const {variable} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
    ));
}

/// The names that an import takes, as a pattern for the exports of its module, and the name of the module.
fn import(line: &str) -> Option<(String, &str)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from './")?;
    let names = names.strip_prefix("* as ").unwrap_or(names).replace(" as ", ": ");
    Some((names, from.split('\'').next()?))
}

/// The name that an export declares.
fn declared(declaration: &str) -> Option<&str> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let (_, name) = declaration.split_once(' ')?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// The variable with the exports of a module.
fn variable(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions_in_the_order_of_their_imports() {
        let modules = [
            (
                "app.js",
                "// Begins.\nimport * as words from './words.js';\nimport { by as find } from './dom.js';\n\n  // Goes on.\nfind(words.ONE);\n",
            ),
            ("dom.js", "import { ONE } from './words.js';\nexport const by = (id) => id + ONE;\n"),
            ("words.js", "export const ONE = 1;\nexport async function two() { return 2; }\n"),
            ("unused.js", "export const THREE = 3;\n"),
        ];
        let expected = "const $words = (() => {\nconst ONE = 1;\nasync function two() { return 2; }\n\
                        return { ONE, two };\n})();\n\
                        const $dom = (() => {\nconst { ONE } = $words;\nconst by = (id) => id + ONE;\n\
                        return { by };\n})();\n\
                        const $app = (() => {\nconst words = $words;\nconst { by: find } = $dom;\n\
                        find(words.ONE);\nreturn {  };\n})();\n";
        assert_eq!(bundle(&modules, "app.js"), expected);
    }
}
