/** Duration of a test file, from its imports to its last hook. */
export interface FileTime {
  /** Project of `vitest.config.ts`, for example `browser`. */
  stage: string
  /** Relative to the root of the repository. */
  path: string
  durationMs: number
}

/** Time limit of a test file. In a slow run it grows, see {@link wholeRunMs}. */
export const limitMs = 60_000

/**
 * All files of a whole run together take about this long on two free cores. If other work slows a run down, the limits
 * of its files grow proportionally, at most tenfold, so that a file is compared with the other files and not with the
 * load of the machine.
 */
export const wholeRunMs = 2_000_000
const maxGrowth = 10

/** Files with a higher limit, and the reason. */
export const longFiles: Readonly<Record<string, { limitMs: number; reason: string }>> = {
  ...allowed('many flows of one screen share a server, its users and its data', [
    'tests/browser/insight-charts.test.ts',
    'tests/browser/insight-data.test.ts',
    'tests/browser/insight-params.test.ts',
    'tests/browser/insight-sharing.test.ts',
    'tests/browser/insight-tables.test.ts',
    'tests/browser/insight-tiles.test.ts',
    'tests/browser/insights.test.ts',
    'tests/browser/lake.test.ts',
    'tests/browser/pipeline-creator.test.ts',
    'tests/browser/preps.test.ts',
    'tests/browser/science.test.ts',
    'tests/browser/shell.test.ts',
    'tests/browser/statuses.test.ts',
    'tests/browser/storage.test.ts',
    'tests/browser/tools.test.ts',
  ]),
  ...allowed('each case kills and starts whole servers', [
    'tests/acceptance/data-prep-kill.test.ts',
    'tests/acceptance/database-kill.test.ts',
    'tests/acceptance/kill.test.ts',
    'tests/acceptance/pipeline-kill.test.ts',
    'tests/acceptance/upload-kill.test.ts',
    'tests/acceptance/worker-kill.test.ts',
    'packages/timeseries/test/engine-damage.test.ts',
  ]),
  ...allowed('each case starts a separate process in a sandbox', [
    'features/tasks/server/library/sql-query.test.ts',
    'features/tasks/server/library/sql-select.test.ts',
    'packages/sandbox/src/sandbox.test.ts',
  ]),
  ...allowed('one engine or server answers hundreds of small cases', [
    'packages/timeseries/test/embedded-queries.test.ts',
    'packages/timeseries/test/random-queries.test.ts',
    'packages/timeseries/test/server-queries.test.ts',
    'tests/acceptance/policy.test.ts',
    'tests/acceptance/random-requests.test.ts',
  ]),
}

const slowestCount = 10

function allowed(reason: string, paths: readonly string[]): typeof longFiles {
  return Object.fromEntries(paths.map((path) => [path, { limitMs: 180_000, reason }]))
}

/** Returns the report of a run: time per stage, the slowest files, and the files over their limit. */
export function reportStages(
  files: readonly FileTime[],
  exceptions: typeof longFiles,
): { lines: string[]; tooSlow: (FileTime & { limitMs: number })[] } {
  const stages = Map.groupBy(files, ({ stage }) => stage)
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestCount)
  const lines = [
    'Time per stage, summed over its files:',
    ...[...stages].map(
      ([stage, all]) =>
        `  ${stage.padEnd(8)} ${secondsOf(sum(all)).padStart(7)}  ${all.length} ${all.length === 1 ? 'file' : 'files'}`,
    ),
    'Slowest files:',
    ...slowest.map(({ path, durationMs }) => `  ${secondsOf(durationMs).padStart(7)}  ${path}`),
  ]
  const slowness = Math.min(maxGrowth, Math.max(1, sum(files) / wholeRunMs))
  const tooSlow = files
    .map((file) => ({ ...file, limitMs: (exceptions[file.path]?.limitMs ?? limitMs) * slowness }))
    .filter((file) => file.durationMs > file.limitMs)
  return { lines, tooSlow }
}

function sum(files: readonly FileTime[]): number {
  return files.reduce((total, { durationMs }) => total + durationMs, 0)
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
