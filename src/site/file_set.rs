//! The files of a resource: a plain file and its compressed variants.

use std::collections::HashMap;

use super::coding::Coding;
use super::file::File;

/// A plain file with its compressed variants.
#[derive(Debug)]
pub(super) struct FileSet {
    pub(super) plain: File,
    pub(super) compressed: Vec<(Coding, File)>,
}

/// Groups `files` by resource, in the order of their names. A compressed file
/// without a plain one is a plain file itself. Of two files with the same name
/// the later one is kept.
pub(super) fn group(files: impl IntoIterator<Item = File>) -> Vec<FileSet> {
    let mut files: HashMap<String, File> =
        files.into_iter().map(|file| (file.path.clone(), file)).collect();
    let is_variant =
        |name: &str| Coding::of_file_name(name).is_some_and(|(plain, _)| files.contains_key(plain));
    let mut names: Vec<String> = files.keys().filter(|name| !is_variant(name)).cloned().collect();
    names.sort_unstable();
    names
        .into_iter()
        .filter_map(|name| {
            let plain = files.remove(&name)?;
            let variant = |coding: Coding| Some((coding, files.remove(&coding.file_name(&name))?));
            Some(FileSet {
                plain,
                compressed: Coding::COMPRESSED.into_iter().filter_map(variant).collect(),
            })
        })
        .collect()
}
