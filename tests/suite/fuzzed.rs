//! The inputs that fuzzing found worth keeping. tests/fuzz has the targets, which also bound the memory of HTTP/2.

use std::fs;
use std::path::Path;

use crate::support::fuzzed;

#[test]
fn each_input_of_the_corpus_keeps_every_promise() {
    let http2 = |input: &[u8]| fuzzed::http2(input, || 0);
    let targets: [(&str, &dyn Fn(&[u8])); 4] = [
        ("respond", &fuzzed::respond),
        ("certificate", &fuzzed::certificate),
        ("connection", &fuzzed::connection),
        ("http2", &http2),
    ];
    for (target, run) in targets {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
        let inputs: Vec<_> = fs::read_dir(corpus).expect("a folder").flatten().collect();
        assert!(!inputs.is_empty(), "{target}");
        for input in inputs {
            run(&fs::read(input.path()).expect("a file"));
        }
    }
}
