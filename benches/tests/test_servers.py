"""Configurations with and without TLS."""

import socket
import tempfile
import unittest
from unittest import mock

from measure import certificate, servers, wire

TEXT = "first\n@PLAIN@  plain\n@TLS@  tls\n@SEVERAL@several\nlast @PORT@\n"


class TestConfiguration(unittest.TestCase):
    def test_a_line_with_a_condition_is_kept_only_if_it_holds(self):
        for port, cpus, text in (
            (80, [0], "first\n  plain\nlast @PORT@\n"),
            (wire.TlsPort(443), [0], "first\n  tls\nlast @PORT@\n"),
            (wire.TlsPort(443), [0, 1], "first\n  tls\nseveral\nlast @PORT@\n"),
        ):
            with self.subTest(text=text):
                holding = servers.conditions(port, cpus)
                self.assertEqual(servers.selected(TEXT, holding), text)

    def test_every_configuration_of_a_peer_names_the_certificate_only_with_tls(self):
        for peer in servers.PEERS:
            text = (servers.CONFIGURATIONS / peer.configuration).read_text()
            plain, secure = (servers.selected(text, {each}) for each in ("PLAIN", "TLS"))
            with self.subTest(peer=peer.name):
                self.assertNotIn("@CERTIFICATE@", plain)
                self.assertIn("@CERTIFICATE@", secure)
                self.assertIn("@KEY@", secure)


class TestStart(unittest.TestCase):
    def test_a_server_is_not_started_on_a_port_that_another_process_has(self):
        server = servers.Server("late", "true", (), is_baseline=True)
        with (
            socket.create_server(("127.0.0.1", 0)) as other,
            tempfile.TemporaryDirectory() as folder,
        ):
            port = other.getsockname()[1]
            for kind in (int, wire.TlsPort):
                with (
                    self.subTest(kind=kind),
                    self.assertRaisesRegex(RuntimeError, f"{port} .*in use"),
                    server.started(kind(port), None, folder),
                ):
                    self.fail("started")

    def test_a_certificate_is_made_only_for_a_server_with_tls(self):
        # This server ends at once, so that nothing responds on the port.
        server = servers.Server("ended", "false", (), is_baseline=True)
        with socket.socket() as other, tempfile.TemporaryDirectory() as folder:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            for kind in (int, wire.TlsPort):
                with (
                    self.subTest(kind=kind),
                    mock.patch.object(certificate, "pair") as pair,
                ):
                    with (
                        self.assertRaisesRegex(RuntimeError, "ended with exit code 1"),
                        server.started(kind(port), None, folder),
                    ):
                        self.fail("started")
                    self.assertEqual(pair.called, kind is wire.TlsPort)


class TestSite(unittest.TestCase):
    def test_every_option_of_the_site_is_given_once(self):
        for server in (
            servers.site("site"),
            servers.site("site", workers=4),
            servers.site_over_tls("site", settings=("--origin", "https://a.example")),
        ):
            options = [each for each in server.arguments if each.startswith("--")]
            with self.subTest(options=options):
                self.assertEqual(len(options), len(set(options)))
        self.assertIn("4", servers.site("site", workers=4).arguments)
