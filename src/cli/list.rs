//! Lists in one option or variable: `a.example, b.example`.

use std::fmt;

/// The items of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List<T>(Vec<T>);

/// All items of an option that can be repeated.
pub(super) fn items<T>(lists: &[List<T>]) -> impl Iterator<Item = &T> {
    lists.iter().flat_map(|list| &list.0)
}

/// A parser of lists whose items `parse` reads. Items are separated by commas and may
/// have spaces around them. Empty items are ignored: configuration files often have some.
pub(super) fn list<T, E: fmt::Display>(
    parse: impl Fn(&str) -> Result<T, E> + Clone,
) -> impl Fn(&str) -> Result<List<T>, String> + Clone {
    move |text| {
        let mut items: Vec<&str> =
            text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        if items.is_empty() {
            // The parser rejects an empty item, and its error gives an example.
            items.push("");
        }
        let parse_item = |item: &&str| {
            parse(item).map_err(|problem| match *item {
                item if item == text => problem.to_string(),
                "" => problem.to_string(),
                item => format!("{}: {problem}", item.escape_debug()),
            })
        };
        Ok(List(items.iter().map(parse_item).collect::<Result<_, _>>()?))
    }
}
