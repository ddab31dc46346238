"""The formulas of timeseries-formulas.ts over the same inputs: computes them once per line of standard input."""

import json
import sys
import time

import numpy as np

folder, input_count = sys.argv[1], int(sys.argv[2])
inputs = [
    (
        np.fromfile(f"{folder}/{index}.timestamps").astype(np.int64),
        np.fromfile(f"{folder}/{index}.values"),
    )
    for index in range(input_count)
]


def mean(values, count):
    sums = np.concatenate(([0.0], np.cumsum(values)))
    result = np.full(len(values), np.nan)
    result[count - 1 :] = (sums[count:] - sums[:-count]) / count
    return result


def lag(values):
    return np.concatenate(([np.nan], values[:-1]))


formulas = [
    lambda a, b: a - b,
    lambda a, b: (a - b) / b * 100,
    lambda a, b: mean(a - b, 20),
    lambda a, b: np.where(a > b, a - lag(a), b),
    lambda a, b: np.sqrt(a * a + b * b),
]


def compute():
    """Aligns all inputs once, and computes each formula where both of its inputs have a value."""
    instants = np.unique(np.concatenate([timestamps for timestamps, _ in inputs]))
    aligned = []
    for timestamps, values in inputs:
        column = np.full(len(instants), np.nan)
        column[np.searchsorted(instants, timestamps)] = values
        aligned.append(column)
    filled = [~np.isnan(column) for column in aligned]
    results = []
    for index in range(100):
        first, second = index % input_count, (index * 7 + 3 + index // input_count) % input_count
        rows = filled[first] & filled[second]
        values = formulas[index % len(formulas)](aligned[first][rows], aligned[second][rows])
        present = ~np.isnan(values)
        results.append((instants[rows][present], values[present]))
    return results


print(json.dumps({"version": np.__version__}), flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    results = compute()
    ms = (time.perf_counter() - start) * 1000
    count = sum(len(values) for _, values in results)
    total = float(sum(values.sum() for _, values in results))
    print(json.dumps({"ms": ms, "count": count, "sum": total}), flush=True)
