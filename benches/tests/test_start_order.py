"""The linker script of the start."""

import unittest

from measure import start_order

HASH = "17h0123456789abcdefE"


class TestFunctions(unittest.TestCase):
    def test_a_recursive_function_is_found_once(self):
        profile = "fn=main\n16 2\nfn=visit'2\ncfn=other\nfn=visit\nfn=(below main)\nfn=0x6717d8\n"
        self.assertEqual(start_order.functions(profile), {"main", "visit"})


class TestPattern(unittest.TestCase):
    def test_a_pattern_matches_any_hash_version_and_copy_number(self):
        for name, expected in (
            (f"_ZN4main{HASH}", "*(.text*._ZN4main17h*)"),
            (f"_ZN4main{HASH}.llvm.123", "*(.text*._ZN4main17h*)"),
            ("_RNvNtCsjrHSEGnQ3l9_3std2io4read", "*(.text*._RNvNtCs*_3std2io4read)"),
            ("_RNvCsjrHSEGnQ3l9_3std5write.456", "*(.text*._RNvCs*_3std5write*)"),
            ("ring_core_0_17_14__p256_mul_mont", "*(.text*.ring_core_*__p256_mul_mont)"),
            ("main", "*(.text*.main)"),
        ):
            with self.subTest(name=name):
                self.assertEqual(start_order.pattern(name, {}), {expected})

    def test_a_function_of_the_c_library_selects_the_object_files_that_define_it(self):
        listed = "/lib/libc.a:malloc.o:0000000000000e8f t unlink_chunk.constprop.0\n"
        listed += "/lib/libc.a:malloc.o:                 U unused\n"
        libc = start_order.members(listed)
        members = start_order.pattern("unlink_chunk.constprop.0", libc)
        self.assertEqual(members, {"*libc.a:malloc.o(.text .text.*)"})
        self.assertEqual(start_order.pattern("unused", libc), {"*(.text*.unused)"})


class TestScript(unittest.TestCase):
    def test_a_function_is_placed_with_the_first_start_that_runs_it(self):
        script = start_order.script(["fn=_ZN1b\nfn=_ZN1c\n", "fn=_ZN1a\nfn=_ZN1b\n"], {})
        positions = [script.index(f"*(.text*._ZN1{name})") for name in "bca"]
        self.assertEqual(positions, sorted(positions))
        self.assertEqual(script.count("_ZN1b"), 1)
