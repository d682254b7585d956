//! How the names of hosts are looked up.

/// From now on, the C library looks names up in /etc/hosts and by DNS alone, whatever the `hosts:`
/// line of nsswitch.conf(5) says. Call it before the first look-up.
///
/// Modules in such a line, such as nss-mdns, belong to the machine's C library. The release file
/// contains its own, and would crash when it loads them.
#[allow(unsafe_code)]
#[cfg(target_env = "gnu")]
pub fn use_hosts_file_and_dns() {
    use std::ffi::{c_char, c_int};
    unsafe extern "C" {
        /// From glibc's `nss.h`.
        fn __nss_configure_lookup(database: *const c_char, services: *const c_char) -> c_int;
    }
    // SAFETY: both strings are static and end with a zero, and glibc locks its own table. The call
    // fails only for an unknown database or service, or without memory.
    unsafe { __nss_configure_lookup(c"hosts".as_ptr(), c"files dns".as_ptr()) };
}

/// musl looks names up in /etc/hosts and by DNS alone: it has no modules.
#[cfg(not(target_env = "gnu"))]
pub fn use_hosts_file_and_dns() {}
