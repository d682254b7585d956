//! The size of a dynamic table (RFC 7541 §4.1).

/// Maximum size in bytes of the table of either side. This is the default of
/// SETTINGS_HEADER_TABLE_SIZE (RFC 9113 §6.5.2).
pub(super) const BYTES_MAX: usize = 4096;

/// Bytes that each field counts for beside its name and its value.
const OVERHEAD_BYTES: usize = 32;

/// Size in bytes of a field with a name and a value of these lengths. RFC 9113 §6.5.2 counts the
/// fields of a head in the same way.
pub(super) fn of_field(name_length: usize, value_length: usize) -> usize {
    name_length + value_length + OVERHEAD_BYTES
}
