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
        self.titles[workload.key] = workload.title
        cells = self.samples.setdefault(server, {}).setdefault(workload.key, {})
        cells.setdefault(connections, []).append(sample)

    def add_failure(self, server, workload, connections, failure):
        place = f"{workload.title}, {connections} connections"
        self.failures.setdefault(server, {})[place] = str(failure)

    def servers(self):
        return list(self.samples)

    def values(self, server, workload, connections, figure):
        """The value of each round; none where that was not measured."""
        cells = self.samples.get(server, {}).get(workload, {})
        return [getattr(sample, figure) for sample in cells.get(connections, [])]

    def median(self, server, workload, connections, figure):
        values = self.values(server, workload, connections, figure)
        return statistics.median(values) if values else None

    def connections(self, workload):
        counts = {count for cells in self.samples.values() for count in cells.get(workload, {})}
        return sorted(counts)

    def as_json(self):
        """Every figure: median, lowest and highest round."""

        def summary(samples):
            figures = {}
            for figure in Sample.FIGURES:
                values = [getattr(sample, figure) for sample in samples]
                figures[figure] = {
                    "median": round(statistics.median(values), 3),
                    "lowest": round(min(values), 3),
                    "highest": round(max(values), 3),
                }
            return figures

        measured = {
            server: {
                workload: {str(count): summary(samples) for count, samples in cells.items()}
                for workload, cells in by_workload.items()
            }
            for server, by_workload in self.samples.items()
        }
        rest = {key: value for key, value in asdict(self).items() if key != "samples"}
        return {**rest, "measured": measured}
