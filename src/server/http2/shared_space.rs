//! Space that a worker lends to the connection at work, so that an idle one has none and none
//! allocates its own.

use std::cell::Cell;
use std::thread::LocalKey;

/// The space that was used last, with nothing in it.
pub(super) type SharedSpace = LocalKey<Cell<Vec<u8>>>;

/// Replaces `bytes`, if it has no space, by the shared space with at least `capacity` bytes.
pub(super) fn take(space: &'static SharedSpace, capacity: usize, bytes: &mut Vec<u8>) {
    if bytes.capacity() == 0 {
        *bytes = space.take();
        bytes.reserve(capacity);
    }
}

/// Empties `bytes` and shares its space, unless it has grown to more than twice `capacity`.
pub(super) fn give_back(space: &'static SharedSpace, capacity: usize, bytes: &mut Vec<u8>) {
    let mut bytes = std::mem::take(bytes);
    if bytes.capacity() <= 2 * capacity {
        bytes.clear();
        space.set(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static SPACE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    #[test]
    fn space_is_used_again_unless_it_has_grown() {
        let mut first = Vec::new();
        take(&SPACE, 100, &mut first);
        first.push(1);
        let used = first.as_ptr();
        give_back(&SPACE, 100, &mut first);
        assert_eq!(first.capacity(), 0);

        let mut second = Vec::new();
        take(&SPACE, 100, &mut second);
        assert_eq!((second.as_ptr(), second.len()), (used, 0));
        second.resize(1000, 1);
        give_back(&SPACE, 100, &mut second);
        assert_eq!(SPACE.take().capacity(), 0);
    }
}
