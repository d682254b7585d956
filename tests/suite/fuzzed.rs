//! WIRE-35: the inputs that fuzzing found worth keeping.

use std::fs;
use std::path::Path;

use crate::support::fuzzed;

fn replay(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let inputs: Vec<_> = fs::read_dir(corpus).expect("a folder").flatten().collect();
    assert!(!inputs.is_empty(), "{target}");
    for input in inputs {
        run(&fs::read(input.path()).expect("a file"));
    }
}

#[test]
fn each_input_of_the_corpus_keeps_every_promise() {
    replay("respond", fuzzed::respond);
    replay("certificate", fuzzed::certificate);
    replay("connection", fuzzed::connection);
    replay("http2", fuzzed::http2);
}
