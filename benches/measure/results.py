"""The figures of a run, gathered and brought down to medians."""

import statistics
from dataclasses import asdict, dataclass, field

from measure.load import Sample


@dataclass
class Results:
    """Samples by server, workload and number of connections, and all that is
    known of the servers besides."""

    about: dict
    titles: dict = field(default_factory=dict)
    samples: dict = field(default_factory=dict)
    standing: dict = field(default_factory=dict)
    differences: dict = field(default_factory=dict)
    missing: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)

    def add(self, server, workload, connections, sample):
        """The sample of one round, or what went wrong in it."""
        self.titles[workload.key] = workload.title
        cells = self.samples.setdefault(server, {}).setdefault(workload.key, {})
        rounds = cells.setdefault(connections, [])
        if not isinstance(sample, Sample):
            place = f"{workload.title}, {connections} connections, round {len(rounds) + 1}"
            self.failures.setdefault(server, {})[place] = str(sample)
            sample = None
        rounds.append(sample)

    def servers(self):
        return list(self.samples)

    def values(self, server, workload, connections, figure):
        """The value of each round that was measured."""
        rounds = self.rounds(server, workload, connections)
        return [getattr(sample, figure) for sample in rounds if sample]

    def ratios(self, server, other, workload, connections, figure):
        """The one server's values as multiples of the other's, round by round: what
        disturbs the machine disturbs both of a round."""
        pairs = zip(
            self.rounds(server, workload, connections), self.rounds(other, workload, connections)
        )
        return [
            getattr(mine, figure) / getattr(theirs, figure)
            for mine, theirs in pairs
            if mine and theirs
        ]

    def rounds(self, server, workload, connections):
        return self.samples.get(server, {}).get(workload, {}).get(connections, [])

    def median(self, server, workload, connections, figure):
        values = self.values(server, workload, connections, figure)
        return statistics.median(values) if values else None

    def connections(self, workload):
        counts = {count for cells in self.samples.values() for count in cells.get(workload, {})}
        return sorted(counts)

    def as_json(self):
        """Every figure of every round; null for a round that failed."""

        def columns(rounds):
            return {
                figure: [sample and round(getattr(sample, figure), 3) for sample in rounds]
                for figure in Sample.FIGURES
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
