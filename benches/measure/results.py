"""The figures of a run, and their medians and ratios."""

import statistics
from dataclasses import asdict, dataclass, field

from measure.load import Sample

# A server that is busy for a smaller share of the time is not saturated by the load.
BUSY_MIN = 0.95


@dataclass
class Results:
    """Samples by server, workload and number of connections, and the other figures of
    each server."""

    about: dict
    titles: dict = field(default_factory=dict)
    samples: dict = field(default_factory=dict)
    idle: dict = field(default_factory=dict)
    differences: dict = field(default_factory=dict)
    # The workloads of which a server sends a response uncompressed, unlike the others.
    uncompressed: dict = field(default_factory=dict)
    missing: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)

    def add(self, server, workload, connections, sample):
        """Adds the sample of one round, or the error that ended it."""
        self.titles[workload.key] = workload.title
        cells = self.samples.setdefault(server, {}).setdefault(workload.key, {})
        rounds = cells.setdefault(connections, [])
        if not isinstance(sample, Sample):
            of = f"{connections} connections" if isinstance(connections, int) else connections
            run = f"{workload.title}, {of}, round {len(rounds) + 1}"
            self.failures.setdefault(server, {})[run] = str(sample)
            sample = None
        rounds.append(sample)

    def servers(self):
        return list(self.samples)

    def values(self, server, workload, connections, figure):
        """The values of the rounds that did not fail."""
        rounds = self.rounds(server, workload, connections)
        return [getattr(sample, figure) for sample in rounds if sample]

    def ratios(self, server, other, workload, connections, figure):
        """The values of one server divided by those of the other, round by round: other
        work of the machine affects both servers of a round."""
        pairs = zip(
            self.rounds(server, workload, connections), self.rounds(other, workload, connections)
        )
        return [
            getattr(one, figure) / getattr(another, figure)
            for one, another in pairs
            if one and another
        ]

    def rounds(self, server, workload, connections):
        return self.samples.get(server, {}).get(workload, {}).get(connections, [])

    def median(self, server, workload, connections, figure):
        values = self.values(server, workload, connections, figure)
        return statistics.median(values) if values else None

    def is_saturated(self, server, workload, connections):
        """True unless the server waited for the load in the median round. Such a server is better
        than its figures: it could have done more, and a wait costs processor time."""
        shares = [
            sample.requests_per_second * sample.cpu_microseconds / 1e6
            for sample in self.rounds(server, workload, connections)
            if sample
        ]
        return not shares or statistics.median(shares) >= BUSY_MIN

    def connections(self, workload):
        counts = {count for cells in self.samples.values() for count in cells.get(workload, {})}
        return sorted(counts)

    def as_json(self):
        """Every figure of every round; null for a round that failed."""

        def columns(rounds):
            columns = {
                figure: [sample and getattr(sample, figure) for sample in rounds]
                for figure in Sample.FIGURES
            }
            # Over TLS, only loads with many connections have latencies.
            return {
                figure: [value and round(value, 3) for value in values]
                for figure, values in columns.items()
                if any(values)
            }

        measured = {
            server: {
                workload: {str(count): columns(rounds) for count, rounds in cells.items()}
                for workload, cells in by_workload.items()
            }
            for server, by_workload in self.samples.items()
        }
        rest = {key: value for key, value in asdict(self).items() if key != "samples"}
        return {**rest, "measured": measured}
