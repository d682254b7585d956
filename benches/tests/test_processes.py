"""Server processes and the end of a benchmark."""

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from measure import processes

BENCHES = Path(__file__).parent.parent
TIMEOUT_SECONDS = 60

# A benchmark that starts a server and a client, prints their process ids and waits. The client ends
# half a second after the signal, because Popen waits for only a quarter after KeyboardInterrupt.
BENCHMARK = """
import sys, time
from pathlib import Path
from measure import processes
slow = ["sh", "-c", "trap 'sleep 0.5; exit' TERM; echo; while :; do sleep 0.1; done"]
with processes.running(["sleep", "60"], {}, Path(sys.argv[1])) as server:
    with processes.client(slow, processes.LOAD_CPUS) as client:
        client.stdout.readline()
        print(server.pid, client.pid, flush=True)
        # Not one long sleep: Python handles a signal that comes just before it only after it.
        for _ in range(600):
            time.sleep(0.1)
"""

# A benchmark that sends itself the signal of a terminal that is closed.
HUNG_UP = """
import os, signal, sys
from pathlib import Path
from measure import processes
with processes.running(["sleep", "60"], {}, Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGHUP)
    print("running")
"""


class TestEnd(unittest.TestCase):
    def test_a_benchmark_that_is_ended_stops_server_and_client(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number.name):
                self.assert_stopped_by(number)

    def assert_stopped_by(self, number):
        with tempfile.TemporaryDirectory() as folder:
            benchmark = subprocess.Popen(
                [sys.executable, "-c", BENCHMARK, folder],
                cwd=BENCHES,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                # The tests may run with nohup themselves.
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
            )
            with benchmark:
                started = [Path("/proc", pid) for pid in benchmark.stdout.readline().split()]
                self.assertEqual([True, True], [process.exists() for process in started])
                benchmark.send_signal(number)
                benchmark.wait(TIMEOUT_SECONDS)
        self.assertNotEqual(0, benchmark.returncode)
        self.assertEqual([False, False], [process.exists() for process in started])

    def test_a_benchmark_that_nohup_started_survives_the_end_of_the_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            benchmark = subprocess.run(
                [sys.executable, "-c", HUNG_UP, folder],
                cwd=BENCHES,
                capture_output=True,
                text=True,
                check=False,
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
            )
        self.assertEqual(("running\n", 0), (benchmark.stdout, benchmark.returncode))


class TestStart(unittest.TestCase):
    def test_a_process_that_has_ended_is_not_ready_even_if_another_one_responds(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, processes.LOG)
            log.write_text("address in use\n")
            process = subprocess.Popen(["false"])
            process.wait()
            with self.assertRaisesRegex(RuntimeError, "exit code 1.*\naddress in use"):
                processes.wait_until(lambda: True, process, log)


class TestCpuSeconds(unittest.TestCase):
    def test_the_processor_time_is_that_of_the_whole_process_tree(self):
        # The parent waits, and its child uses the processor.
        command = ["sh", "-c", "(echo; while :; do :; done) & trap 'kill $!' TERM; wait"]
        with processes.client(command, processes.LOAD_CPUS) as process:
            process.stdout.readline()
            begin = processes.cpu_seconds(process.pid)
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while processes.cpu_seconds(process.pid) - begin < 0.1:
                self.assertLess(time.monotonic(), deadline)
