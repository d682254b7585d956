"""Server processes and the end of a benchmark."""

import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCHES = Path(__file__).parent.parent

# A benchmark that starts a server, prints its process id and waits.
BENCHMARK = """
import sys, time
from pathlib import Path
from measure import processes
with processes.running(["sleep", "60"], {}, Path(sys.argv[1])) as process:
    print(process.pid, flush=True)
    time.sleep(60)
"""


class TestRunning(unittest.TestCase):
    def test_a_benchmark_that_is_ended_stops_its_server(self):
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=signal_number), tempfile.TemporaryDirectory() as folder:
                with subprocess.Popen(
                    [sys.executable, "-c", BENCHMARK, folder],
                    cwd=BENCHES,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                ) as benchmark:
                    server = Path("/proc", benchmark.stdout.readline().strip())
                    self.assertTrue(server.exists())
                    benchmark.send_signal(signal_number)
                    benchmark.wait()
                self.assertFalse(server.exists())
