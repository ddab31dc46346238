import type { SeriesEngine } from '../src/series-engine.ts'
import type { ColumnSpec, PointBatch, StageMode, ValueType } from '../src/series-upload.ts'
import { PlainEngine } from './plain-engine.ts'
import type { PlainValue } from './plain-table.ts'

const day = 86_400_000

/** Park and Miller's generator, so that a seed always produces the same inputs. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed % 2_147_483_646) + 1
    for (let round = 0; round < 5; round++) this.next()
  }

  /** Returns a number from 0 up to but excluding 1. */
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return (this.#state - 1) / 2_147_483_646
  }

  /** Returns a whole number from 0 up to but excluding `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  some<T>(items: readonly T[], probability: number): T[] {
    return items.filter(() => this.chance(probability))
  }
}

type WorldRow = [sid: number, ts: number, ...values: PlainValue[]]

/** An upload or a removal, in the numbers of the world. */
export type Step =
  | {
      kind: 'upload'
      dataset: number
      version: number
      mode: StageMode
      columns: ColumnSpec[]
      batches: WorldRow[][]
    }
  | { kind: 'remove'; dataset: number; version: number }
  | { kind: 'removeSeries'; dataset: number; sids: number[] }
  | { kind: 'rollUp'; dataset: number }

/** Random data. */
export interface World {
  /** Uploads and removals, in order. */
  steps: Step[]
  /** Existing columns by dataset. The same name has another type in another dataset. */
  columns: Map<number, readonly (ColumnSpec & { name: string })[]>
  /** Numbers of the series. */
  sids: readonly number[]
  /** Timestamps in use. */
  times: readonly number[]
  /** Versions in use. */
  versions: number[]
  /** Texts in use. */
  texts: readonly string[]
  /** Doubles in use. */
  doubles: readonly number[]
  /** Integers in use. */
  integers: readonly number[]
}

const columnsByDataset = new Map<number, readonly (ColumnSpec & { name: string })[]>([
  [
    1,
    [
      { id: 1, name: 'Close', type: 'double' },
      { id: 2, name: 'Volume', type: 'integer' },
      { id: 3, name: 'Status', type: 'string' },
      { id: 4, name: 'Settled', type: 'date' },
      { id: 7, name: 'Open', type: 'double' },
    ],
  ],
  [
    2,
    [
      { id: 1, name: 'Status', type: 'string' },
      { id: 2, name: 'Open', type: 'double' },
      { id: 3, name: 'Close', type: 'integer' },
      { id: 5, name: 'Note', type: 'string' },
    ],
  ],
  [
    3,
    [
      { id: 9, name: 'Settled', type: 'date' },
      { id: 2, name: 'Volume', type: 'integer' },
      { id: 1, name: 'Close', type: 'double' },
    ],
  ],
])

const timesByTheme: Record<string, readonly number[]> = {
  days: Array.from(
    { length: 40 },
    (_, index) => Date.UTC(2023, 0, 1) + index * 3 * day + (index % 5 === 0 ? 7 : 0),
  ),
  monthEnds: Array.from({ length: 36 }, (_, index) =>
    Date.UTC(2023, Math.floor(index / 3), 29 + (index % 3), 12),
  ),
  clockChanges: [
    '2023-03-12T07:00Z',
    '2023-11-05T06:00Z',
    '2023-03-26T01:00Z',
    '2023-10-29T01:00Z',
    '2023-04-01T15:00Z',
    '2018-11-04T03:00Z',
    '2011-12-30T10:00Z',
  ].flatMap((text) =>
    [-90, -60, -30, -0.001, 0, 0.0005, 29.5, 30, 60, 1440].map(
      (minutes) => Date.parse(text) + Math.round(minutes * 60_000),
    ),
  ),
  old: Array.from({ length: 40 }, (_, index) => Date.UTC(1677, 5 + index * 67, 1 + (index % 28), 7 * index)),
  milliseconds: Array.from({ length: 30 }, (_, index) => Date.UTC(2024, 1, 29, 23, 59, 59, 990) + index),
  edges: [
    '1677-01-01T00:00:00Z',
    '1677-01-01T00:00:00.001Z',
    '1677-09-21T00:12:43.145Z',
    '1752-09-14T00:00Z',
    '1800-02-28T23:59:59.999Z',
    '1883-11-18T17:00Z',
    '1899-12-31T23:59:59.999Z',
    '1900-01-01T00:00:00Z',
    '1900-01-01T00:00:00.001Z',
    '1900-03-01T00:00Z',
    '1901-12-13T20:45:52Z',
    '1945-07-15T12:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00Z',
    '1970-01-01T00:00:00.001Z',
    '2000-02-29T00:00Z',
    '2038-01-19T03:14:08Z',
    '2100-02-28T23:00Z',
    '2106-02-07T06:28:16Z',
    '2149-06-06T00:00Z',
    '2200-07-01T12:00Z',
    '2262-04-11T23:47:17Z',
    '2299-12-31T23:59:59.999Z',
    '2299-12-31T00:00Z',
  ].map((text) => Date.parse(text)),
}

/** Creates small data rich in collisions: few series, few timestamps, few values, many versions. */
export function createWorld(random: Random): World {
  const theme = random.pick(Object.keys(timesByTheme))
  const themed = timesByTheme[theme]!
  const first = random.below(Math.max(1, themed.length - 30))
  const times = theme === 'clockChanges' ? themed.slice(first, first + 30) : themed.slice(0, 40)
  const isPlain = random.chance(0.5)
  const world: World = {
    steps: [],
    columns: columnsByDataset,
    sids: [1, 2, 3, 4, 4_294_967_295],
    times,
    versions: [],
    texts: isPlain
      ? ['N', 'C', 'D', 'n', 'Na']
      : [
          'N',
          'x,y',
          '"q"',
          ' pad',
          'end ',
          '#x',
          'Ärger',
          'äRGER',
          'a\nb',
          '日本',
          '\\n',
          "'",
          '{}',
          '0',
          'ſs',
        ],
    doubles: isPlain
      ? [0, 0.25, 0.5, 1, -1.5, 2.125, 1000.375]
      : [
          0, 0.1, 0.30000000000000004, 1.005, -1.005, 2.5, -2.5, 1e-7, 5e-324, -1e22, 123456.789, 99.995,
          -0.004, 1e15, 2251799813685248.5,
        ],
    integers: isPlain ? [0, 1, 2, -3, 10] : [0, 1, -1, 9_007_199_254_740_991, -9_007_199_254_740_991, 10],
  }
  let version = 1_700_000_000_000_000 + random.below(1_000_000)
  for (let upload = 0; upload < 15; upload++) {
    version += 1 + random.pick([0, 1, 998, 999, 1000, 999_000, 86_400_000_000])
    const dataset = random.pick([1, 1, 1, 2, 2, 3])
    const columns = random.some(columnsByDataset.get(dataset)!, 0.7).map(({ id, type }) => ({ id, type }))
    const sids = random.chance(0.3) ? [random.pick(world.sids)] : world.sids
    const spread = random.chance(0.3) ? random.some(times, 0.3) : times
    const row = (): WorldRow => [
      random.pick(sids),
      random.pick(spread.length > 0 ? spread : times),
      ...columns.map(({ type }) => (random.chance(0.4) ? null : valueOf(type, world, random))),
    ]
    const batches = Array.from({ length: 1 + random.below(2) }, () =>
      Array.from({ length: random.below(40) }, row),
    )
    const mode = random.pick(['replace', 'replace', 'partial', 'changes', 'partialChanges'] as const)
    world.steps.push({ kind: 'upload', dataset, version, mode, columns, batches })
    world.versions.push(version)
    if (random.chance(0.08)) {
      const gone = random.pick(world.steps)
      if (gone.kind === 'upload')
        world.steps.push({ kind: 'remove', dataset: gone.dataset, version: gone.version })
    }
    if (random.chance(0.05))
      world.steps.push({ kind: 'removeSeries', dataset, sids: random.some([...world.sids, 77], 0.3) })
    if (random.chance(0.25)) world.steps.push({ kind: 'rollUp', dataset: random.pick([1, 2, 3]) })
  }
  return world
}

/** Creates a value of a cell. */
export function valueOf(type: ValueType, world: World, random: Random): number | string {
  if (type === 'string') return random.pick(world.texts)
  if (type === 'date') return random.pick(world.times)
  return random.pick(type === 'integer' ? world.integers : world.doubles)
}

/**
 * Applies steps to an engine and to a plain one, whose datasets both count from `firstDataset`, and compares their
 * responses.
 */
export async function replay(
  engine: SeriesEngine,
  steps: readonly Step[],
  firstDataset: number,
  plain = new PlainEngine(),
): Promise<PlainEngine> {
  const check = (what: string, actual: unknown, expected: unknown, own: readonly Step[]) => {
    const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
    if (given !== wanted)
      throw new Error(`${what}: ${given} instead of ${wanted} after ${JSON.stringify(own)}`)
  }
  const bring = async (step: Step) => {
    const dataset = firstDataset + step.dataset
    if (step.kind === 'remove') {
      await engine.remove(dataset, step.version)
      plain.remove(dataset, step.version)
    } else if (step.kind === 'removeSeries') {
      await engine.removeSeries(dataset, step.sids)
      plain.removeSeries(dataset, step.sids)
    } else if (step.kind === 'rollUp') {
      await engine.rollUp(dataset)
    } else {
      const { version, mode, columns } = step
      const batches = step.batches.map((rows) => toBatch(columns, rows))
      const request = { dataset, version, mode, columns, batches }
      const staged = await engine.stage(request)
      await engine.publish(dataset, version)
      const before = steps.slice(0, steps.indexOf(step) + 1).filter((other) => other.dataset === step.dataset)
      check('Staged', facts(staged), facts(plain.upload(request)), before)
    }
  }
  const bringAll = async (own: readonly Step[], dataset: number) => {
    for (const step of own) await bring(step)
    check('Versions', await engine.listVersions(dataset), plain.listVersions(dataset), own)
    for (const sids of ['all', [2, 3, 77]] as const) {
      const actual = await engine.statistics(dataset, sids)
      check(`Statistics of ${String(sids)}`, actual, plain.statistics(dataset, sids), own)
    }
  }
  const byDataset = Map.groupBy(steps, (step) => firstDataset + step.dataset)
  await Promise.all([...byDataset].map(([dataset, own]) => bringAll(own, dataset)))
  return plain
}

function facts({
  rowsRead,
  rowsStaged,
  firstRepeat,
  firstTimestamp,
  lastTimestamp,
}: Awaited<ReturnType<SeriesEngine['stage']>>) {
  return { rowsRead, rowsStaged, firstRepeat, firstTimestamp, lastTimestamp }
}

function toBatch(columns: readonly ColumnSpec[], rows: readonly WorldRow[]): PointBatch {
  return {
    sids: Uint32Array.from(rows, ([sid]) => sid),
    timestamps: Float64Array.from(rows, ([, ts]) => ts),
    values: columns.map(({ type }, index) => {
      const values = rows.map((row) => (row[index + 2] ?? null) as PlainValue)
      return type === 'string'
        ? (values as (string | null)[])
        : Float64Array.from(values, (value) => (value === null ? Number.NaN : (value as number)))
    }),
  }
}
