import type { Random } from '../../../packages/timeseries/test/random-world.ts'
import { PlainEngine } from '../../../packages/timeseries/test/plain-engine.ts'
import type { PlainValue } from '../../../packages/timeseries/test/plain-table.ts'

/** Types of the plain engine by the suffix that names them in a file. */
export const suffixOf = { double: '', integer: '(I)', string: '(S)', date: '(D)' } as const
export type ColumnType = keyof typeof suffixOf

export interface PlainColumnOfGroup {
  id: number
  name: string
  type: ColumnType
}

export interface PlainSymbol {
  id: number
  dataset: number
  keys: Record<string, string>
  /** Texts, dates in UTC. */
  metadata: Record<string, string>
  /** Ids of the columns that some file had a value for. */
  columns: Set<number>
}

export interface PlainGroup {
  name: string
  dataset: number
  columns: PlainColumnOfGroup[]
  metadataTypes: Record<string, ColumnType>
}

/** The uploaded data as the guide describes its storage. */
export class PlainWorld {
  readonly engine = new PlainEngine()
  readonly groups: PlainGroup[] = []
  readonly symbols: PlainSymbol[] = []
  /** Ids of the files by the version of their points. */
  readonly files: [version: number, fileId: string][] = []

  readonly #spans = new Map<number, { first: number; last: number } | undefined>()

  /** First and last timestamp of a symbol. */
  spanOf({ dataset, id }: PlainSymbol): { first: number; last: number } | undefined {
    if (!this.#spans.has(id)) {
      const [matches] = this.engine.statistics(dataset, [id])
      this.#spans.set(id, matches && { first: matches.firstTimestamp, last: matches.lastTimestamp })
    }
    return this.#spans.get(id)
  }

  group(name: string): PlainGroup | undefined {
    return this.groups.find((group) => group.name === name)
  }

  symbolsOf(dataset: number): PlainSymbol[] {
    return this.symbols.filter((symbol) => symbol.dataset === dataset)
  }

  /** Adds a file that was ingested at a time. */
  add(file: RandomFile, insertedAt: number, fileId: string): void {
    this.#spans.clear()
    const version = insertedAt * 1000
    const group = this.group(file.groupName)!
    for (const row of file.rows) {
      const symbol = this.#symbolOf(group, row.symbol)
      for (const [index, { id }] of file.columns.entries())
        if (row.values[index] !== null) symbol.columns.add(id)
      for (const [name, text] of Object.entries(row.symbol.metadata))
        if (text !== '') symbol.metadata[name] = text
    }
    this.files.push([version, fileId])
    this.engine.upload({
      dataset: group.dataset,
      version,
      mode: file.mode,
      columns: file.columns.map(({ id, type }) => ({ id, type })),
      batches: [
        {
          sids: Uint32Array.from(file.rows, ({ symbol }) => this.#symbolOf(group, symbol).id),
          timestamps: Float64Array.from(file.rows, ({ ts }) => ts),
          values: file.columns.map(({ type }, index) => {
            const values = file.rows.map((row) => row.values[index] ?? null)
            return type === 'string'
              ? (values as (string | null)[])
              : Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)))
          }),
        },
      ],
    })
  }

  #symbolOf(group: PlainGroup, { keys }: Pick<RandomSymbol, 'keys'>): PlainSymbol {
    const matches = this.symbolsOf(group.dataset).find((symbol) => isSameMap(symbol.keys, keys))
    if (matches) return matches
    const symbol = {
      id: this.symbols.length + 1,
      dataset: group.dataset,
      keys,
      metadata: {},
      columns: new Set<number>(),
    }
    this.symbols.push(symbol)
    return symbol
  }
}

export function isSameMap(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

export interface RandomSymbol {
  keys: Record<string, string>
  metadata: Record<string, string>
}

/** A file to upload, as rows and as text. */
export interface RandomFile {
  groupName: string
  mode: 'replace' | 'partial' | 'changes'
  columns: PlainColumnOfGroup[]
  rows: { symbol: RandomSymbol; ts: number; values: PlainValue[] }[]
  content: string
}

const hour = 3_600_000
const day = 24 * hour

interface GroupPlan extends Omit<PlainGroup, 'dataset'> {
  keyNames: string[]
  symbols: RandomSymbol[]
  times: number[]
}

const plans: GroupPlan[] = [
  {
    name: 'Prices',
    keyNames: ['Code', 'Venue'],
    columns: [
      { id: 1, name: 'Close', type: 'double' },
      { id: 2, name: 'Volume', type: 'integer' },
      { id: 3, name: 'Note', type: 'string' },
      { id: 4, name: 'Settled', type: 'date' },
    ],
    metadataTypes: { Unit: 'string', Lot: 'double', Since: 'date' },
    symbols: [
      {
        keys: { Code: 'BRENT', Venue: 'ICE' },
        metadata: { Unit: 'USD', Lot: '1000', Since: '2001-07-01T00:00:00' },
      },
      {
        keys: { Code: 'WTI', Venue: 'NYMEX' },
        metadata: { Unit: 'USD', Lot: '2.5', Since: '2024-01-31T22:30:00' },
      },
      { keys: { Code: 'TTF' }, metadata: { Unit: 'EUR', Lot: '', Since: '' } },
      { keys: { Code: 'B*T', Venue: 'ICE' }, metadata: { Unit: '', Lot: '2.5', Since: '' } },
      { keys: { Code: 'brent', Venue: 'x,y "z"' }, metadata: { Unit: 'usd', Lot: '', Since: '' } },
    ],
    // Working days and weekends around Easter and both changes of the clock.
    times: Array.from(
      { length: 26 },
      (_, index) => Date.UTC(2024, 2, 14) + index * day + (index % 7 === 3 ? 6 * hour : 0),
    ),
  },
  {
    name: 'Power',
    keyNames: ['Area', 'Code'],
    columns: [
      { id: 1, name: 'Load', type: 'double' },
      { id: 2, name: 'Volume', type: 'double' },
      { id: 3, name: 'Note', type: 'string' },
    ],
    metadataTypes: { Unit: 'string', Zone: 'string' },
    symbols: [
      { keys: { Area: 'DE', Code: 'LOAD' }, metadata: { Unit: 'MW', Zone: 'CET' } },
      { keys: { Area: 'GB', Code: 'LOAD' }, metadata: { Unit: 'MW', Zone: '' } },
      { keys: { Area: 'DE', Code: 'WIND' }, metadata: { Unit: 'GWh', Zone: 'CET' } },
    ],
    times: ['2024-03-30T20:00Z', '2024-10-26T20:00Z'].flatMap((begin) =>
      Array.from(
        { length: 16 },
        (_, index) => Date.parse(begin) + index * (index % 5 === 4 ? hour / 2 : hour),
      ),
    ),
  },
  {
    name: 'Flows',
    keyNames: ['Code', 'Point', 'Gas Day'],
    columns: [
      { id: 1, name: 'Flow', type: 'integer' },
      { id: 2, name: 'Close', type: 'double' },
      { id: 3, name: 'Seen', type: 'date' },
    ],
    metadataTypes: { Unit: 'string' },
    symbols: ['Bacton', 'Emden', 'Zeebrugge'].map((point, index) => ({
      keys: { Code: 'FLOW', Point: point, ...(index === 1 ? { 'Gas Day': 'D+1' } : {}) },
      metadata: { Unit: index === 2 ? '' : 'kWh' },
    })),
    times: Array.from(
      { length: 24 },
      (_, index) => Date.UTC(2023, 11, 30, 5) + index * 6 * hour + (index % 9 === 8 ? 250 : 0),
    ),
  },
]

/** Groups of the random files. */
export function createGroups(): PlainGroup[] {
  return plans.map(({ name, columns, metadataTypes }, index) => ({
    name,
    dataset: index + 1,
    columns,
    metadataTypes,
  }))
}

const doubles = [
  0, 0.25, 0.5, 1, -1.5, 2.125, 70.5, 71.3, 72, 0.1, 0.30000000000000004, 1000.375, -0.004, 99.995,
]
const integers = [0, 1, 2, -3, 10, 100, 9_007_199_254_740_991]
const texts = ['storm', 'calm', 'a,b', '"q"', 'Storm warning', '7', 'N']

/** Creates files for each group in turn; later files correct earlier ones. */
export function createFiles(random: Random, perGroup: number): RandomFile[] {
  return Array.from({ length: perGroup }, (_, number) =>
    plans.map((plan) => createFile(random, plan, number)),
  ).flat()
}

function createFile(random: Random, plan: GroupPlan, number: number): RandomFile {
  const columns =
    number === 0 ? plan.columns : plan.columns.filter((_, index) => index === 0 || random.chance(0.8))
  const density = number === 0 ? 0.75 : 0.15
  const rows = plan.symbols.flatMap((symbol) =>
    plan.times
      .filter(() => random.chance(density))
      .map((ts) => ({
        symbol,
        ts,
        values: columns.map(({ type }, index) =>
          random.chance(index === 0 ? 0.1 : 0.4) ? null : valueOf(random, type, plan),
        ),
      })),
  )
  const mode = number === 0 ? 'replace' : random.pick(['replace', 'partial', 'changes'] as const)
  return { groupName: plan.name, mode, columns, rows, content: contentOf(plan, columns, rows) }
}

function valueOf(random: Random, type: ColumnType, plan: GroupPlan): number | string {
  if (type === 'string') return random.pick(texts)
  if (type === 'date') return random.pick(plan.times)
  return random.pick(type === 'integer' ? integers : doubles)
}

function contentOf(plan: GroupPlan, columns: RandomFile['columns'], rows: RandomFile['rows']): string {
  const metadata = Object.entries(plan.metadataTypes)
  const header = [
    ...plan.keyNames,
    'Date',
    ...columns.map(({ name, type }) => name + suffixOf[type]),
    ...metadata.map(([name, type]) => `${name}(MD-${type === 'double' ? 'DB' : suffixOf[type].slice(1, 2)})`),
  ]
  const lines = rows.map(({ symbol, ts, values }) => [
    ...plan.keyNames.map((name) => symbol.keys[name] ?? ''),
    new Date(ts).toISOString(),
    ...values.map((value, index) =>
      value === null
        ? ''
        : columns[index]!.type === 'date'
          ? new Date(Number(value)).toISOString()
          : String(value),
    ),
    ...metadata.map(([name]) => symbol.metadata[name] ?? ''),
  ])
  return [header, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\n') + '\n'
}

function cellOf(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
