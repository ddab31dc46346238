import type { Fill, SeriesRange, TimeUnit, ValueFilter } from '../src/query-options.ts'
import type { Resample } from '../src/resample-aggregate.ts'
import type { SeriesLabel } from '../src/query-result.ts'
import { PlainZone } from './plain-calendar.ts'
import type { PlainQuery } from './plain-table.ts'
import { createFormula } from './random-formula.ts'
import { valueOf, type Random, type World } from './random-world.ts'

const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS', 'WORKING_DAYS'] as const
const zones = [
  'UTC',
  'America/New_York',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Asia/Kathmandu',
]
const patterns = [
  "yyyy-MM-dd'T'HH:mm:ss.SSS",
  'dd.MM.yyyy HH:mm:ss.SSS',
  'yyyyMMdd HHmmssSSS',
  "EEE, d MMM yyyy hh:mm:ss.SSS a ''",
  'M/d/yyyy H:m:s.SSS',
  'yyyy-MM',
  'dd HH',
]

/** Creates a valid query. */
export function createQuery(random: Random, world: World): PlainQuery {
  if (random.chance(0.15)) return createTailQuery(random, world)
  if (random.chance(0.15)) return createDaysQuery(random, world)
  const corrections = random.pick(['false', 'false', 'false', 'true', 'history', 'only'] as const)
  const delta = random.chance(0.15)
  const format = random.pick(['NCSV', 'NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW'] as const)
  const isColumns =
    corrections === 'false' && ['NCSV', 'STANDARD', 'ARROW'].includes(format) && random.chance(0.25)
  const timeZone = random.chance(0.4) ? 'UTC' : random.pick(zonesOf(world))
  // The contract does not define spans around the day that this zone skipped.
  const isCountable = timeZone !== 'Pacific/Apia'
  const isResampled = corrections === 'false' && !isColumns && isCountable && random.chance(0.2)
  const query: PlainQuery = {
    symbolKeys: random.pick([['Code'], ['Code', 'Venue'], ['A "b",c'], ['Code', 'Venue', 'Kind']]),
    selections: [],
    format,
    range: createRange(random, world, delta),
    order: random.pick(['asc', 'desc']),
    sortBy: random.pick(['series', 'time']),
    timeZone,
  }
  const seriesLabels = (dataset: number) =>
    (random.chance(0.2) ? [...world.sids].reverse() : [...world.sids, 77])
      .filter(() => random.chance(0.5))
      .map((sid) => ({
        sid,
        symbols: query.symbolKeys.map((_, key) =>
          key === 1 && sid === 2
            ? ''
            : key === 0
              ? random.chance(0.1)
                ? 'S'
                : `S${sid % 100}.${dataset}${random.below(100)}`
              : random.pick(world.texts),
        ),
        ...(random.chance(0.5) ? { metadata: [random.pick(['USD', 'a,b', ''])] } : {}),
      }))
  const selectionCount = random.pick([1, 1, 2, 3])
  const selections: PlainQuery['selections'][number][] = []
  for (let number = 0; number < selectionCount; number++) {
    const dataset = random.chance(0.03) ? 5 : random.pick([1, 1, 2, 3])
    const columns = random.some(world.columns.get(dataset) ?? world.columns.get(1)!, 0.6)
    const isComputed = random.chance(0.25)
    selections.push({
      dataset: isComputed ? random.pick([dataset, 8]) : dataset,
      series: isComputed ? [computedSeries(query)] : seriesLabels(dataset * 10 + number),
      columns: isComputed
        ? [{ id: 900, name: random.pick(['Value', 'Close']), type: 'double' }]
        : random.chance(0.3)
          ? columns.reverse()
          : columns,
      ...(isComputed ? { formula: createFormula(random, world) } : {}),
      ...(corrections === 'false' && !delta && random.chance(0.15) ? { shift: createShift(random) } : {}),
      ...(corrections === 'false' && !isResampled && random.chance(0.3) ? { fill: createFill(random) } : {}),
    })
  }
  query.selections = selections
  if (random.chance(0.3))
    query.metadataColumns = [
      { name: 'Unit', type: random.pick(['string', 'double', 'date', 'integer'] as const) },
    ]
  if (corrections !== 'false') query.corrections = corrections
  if (delta) query.delta = true
  if (random.chance(0.25)) query.asOf = random.pick(world.versions) - random.below(2)
  if (random.chance(0.25)) Object.assign(query, { limit: random.below(20), offset: random.below(5) })
  if (random.chance(0.2)) query.dateFormat = random.pick(patterns)
  if (random.chance(0.3)) {
    query.decimalPrecision = random.pick([0, 1, 2, 2, 3, 15])
    if (random.chance(0.8))
      query.roundingMode = random.pick(['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_EVEN'])
  }
  if (random.chance(0.5)) query.calendar = createCalendar(random, world)
  if (random.chance(0.25)) query.filters = createFilters(random, world, query)
  if (random.chance(0.15)) query.hours = createHours(random)
  if (random.chance(0.15)) query.weekdays = random.pick([[1, 2, 3, 4, 5], [6, 7], [7], [3]])
  if (random.chance(0.2)) query.skipEmptyColumns = true
  if (random.chance(0.15)) {
    const [from, to] = [random.pick(world.times), random.pick(world.times)]
    query.window = random.pick([{ from }, { to }, { from: Math.min(from, to), to: Math.max(from, to) }])
  }
  if (isColumns) query.layout = 'columns'
  if (isResampled) query.resample = withFill(random, world, createResample(random))
  if (!isResampled && random.chance(0.2) && format !== 'PANDAS')
    query.versionTexts = {
      name: 'File',
      texts: random.some(world.versions, 0.7).map((version) => [version, `file ${version % 100_000}`]),
    }
  if (format === 'UI' && !isResampled && random.chance(0.3)) {
    query.drawPoints = random.pick([4, 5, 8, 12, 40])
    delete query.limit
    delete query.offset
  }
  if (corrections === 'false' && random.chance(0.25)) combine(random, query)
  if (random.chance(0.3) && (format === 'STANDARD' || format === 'UI')) query.statistics = true
  if (random.chance(0.1)) query.repeatAsData = random.chance(0.5)
  return query
}

/** Aggregates a query by the keys that several of its series share. */
function combine(random: Random, query: PlainQuery): void {
  delete query.metadataColumns
  delete query.versionTexts
  const all = ['sum', 'mean', 'min', 'max', 'count', 'median', 'stddev', 'p5', 'p97.5'] as const
  const functions = random.some(all, 0.3)
  query.aggregate = { functions: functions.length > 0 ? functions : ['sum'] }
  const hasIntegers = query.selections.some(({ columns }) => columns.some(({ type }) => type === 'integer'))
  // Means of the largest integers that cancel each other out are as inexact as these are large.
  if (query.resample && hasIntegers)
    query.resample = { ...query.resample, functions: ['last', 'sum', 'count'] }
  query.symbolKeys = query.symbolKeys.slice(1)
  query.selections = query.selections.map((selection) => ({
    ...selection,
    series: selection.series.map(({ sid, symbols }) => ({ sid, symbols: symbols.slice(1) })),
  }))
}

function computedSeries({ symbolKeys }: PlainQuery): SeriesLabel {
  return { sid: 88, symbols: symbolKeys.map((_, key) => (key === 0 ? 'Computed' : '')) }
}

/**
 * Creates a query for the newest points of one series, as an engine may cache them. There are few variants, so that
 * they repeat.
 */
function createTailQuery(random: Random, world: World): PlainQuery {
  const isDescribed = random.chance(0.3)
  const seriesCount = random.pick([1, 1, 1, 3])
  const selections = Array.from({ length: random.pick([1, 1, 1, 2]) }, () => {
    const dataset = random.pick([1, 2])
    const columns = world.columns.get(dataset)!.filter(({ type }) => type !== 'string')
    const series = Array.from({ length: seriesCount }, () => ({
      sid: random.pick(world.sids),
      symbols: [random.pick(world.texts)],
      ...(isDescribed ? { metadata: [random.pick(['USD', 'a,b', ''])] } : {}),
    }))
    return { dataset, series, columns: random.chance(0.7) ? columns.slice(0, 1) : columns }
  })
  return {
    symbolKeys: ['Code'],
    selections,
    range: { kind: 'LAST', unit: 'VALUES', amount: random.pick([1, 1, 3]) },
    order: random.pick(['asc', 'asc', 'desc']),
    ...(isDescribed ? { metadataColumns: [{ name: 'Unit', type: 'string' as const }] } : {}),
    ...(random.chance(0.2) ? { timeZone: random.pick(zonesOf(world)) } : {}),
  }
}

/** Creates a query for spans of whole days, which a roll-up may serve. */
function createDaysQuery(random: Random, world: World): PlainQuery {
  const selections = Array.from({ length: random.pick([1, 1, 1, 2]) }, () => {
    const dataset = random.pick([1, 1, 2, 3])
    const series = random.some(world.sids, 0.7).map((sid) => ({ sid, symbols: [`S${sid % 100}`] }))
    return { dataset, series, columns: random.some(world.columns.get(dataset)!, 0.7) }
  })
  const instant = () => random.pick(world.times) + random.pick([0, 0, -1, 1, 86_399_999])
  const midnight = () => Math.floor(instant() / 86_400_000) * 86_400_000
  const resample = createResample(random, random.pick(['DAYS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS', 'HOURS']))
  const query: PlainQuery = {
    symbolKeys: ['Code'],
    selections,
    resample,
    format: random.pick(['NCSV', 'NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW']),
    order: random.pick(['asc', 'asc', 'desc']),
    sortBy: random.pick(['series', 'time']),
    range: random.pick<() => SeriesRange>([
      () => ({ kind: 'ALL' }),
      () => ({ kind: 'BETWEEN', from: midnight(), to: midnight() + random.pick([-1, 0, 86_399_999]) }),
      () => ({ kind: 'BETWEEN', from: instant(), to: instant() + 86_400_000 * random.below(100) }),
      () => ({ kind: 'BETWEEN', from: instant() }),
      () => ({ kind: 'BETWEEN', to: instant() }),
      () => ({ kind: 'LAST', unit: 'DAYS', amount: 1 + random.below(20) }),
    ])(),
    ...(random.chance(0.2) ? { asOf: random.pick(world.versions) - random.below(2) } : {}),
    ...(random.chance(0.2) ? { skipEmptyColumns: true } : {}),
    ...(random.chance(0.2) ? { statistics: true } : {}),
    ...(random.chance(0.2) ? { limit: random.below(20), offset: random.below(5) } : {}),
  }
  if (random.chance(0.2)) combine(random, query)
  return query
}

/**
 * Returns zones whose offsets are whole minutes for all timestamps of a world, as all spans and offsets of
 * the engine are.
 */
function zonesOf(world: World): string[] {
  return zones.filter((name) => {
    const zone = new PlainZone(name)
    return world.times.every((ts) => (zone.toLocal(ts) - ts) % 60_000 === 0)
  })
}

function createRange(random: Random, world: World, delta: boolean): SeriesRange {
  const instant = () =>
    delta
      ? Math.floor(random.pick(world.versions) / 1000) + random.below(3) - 1
      : random.pick(world.times) + random.below(3) - 1
  const anchor = instant()
  const isEdge = random.chance(0.05)
  const amount = isEdge ? random.pick([1000, 100_000, 1_000_000]) : 1 + random.below(6)
  const unit = random.pick(['VALUES', ...units] as const)
  return random.pick<() => SeriesRange>([
    () => ({ kind: 'ALL' }),
    () => ({ kind: 'BETWEEN', from: instant(), to: instant() }),
    () => ({ kind: 'BETWEEN', from: anchor }),
    () => ({ kind: 'BETWEEN', to: anchor }),
    () => ({ kind: 'LAST', amount, unit, ...(delta || random.chance(0.5) ? { anchor } : {}) }),
    () => ({ kind: 'NEXT', amount, unit, anchor }),
    () => ({ kind: 'LAST', amount, unit: 'VALUES' }),
    () => ({ kind: 'LAST', amount, unit: 'VALUES' }),
  ])()
}

function createShift(random: Random): { amount: number; unit: TimeUnit } {
  const unit = random.pick(units)
  return { amount: (1 + random.below(random.pick([3, 40]))) * random.pick([1, -1]), unit }
}

function createFill(random: Random): Fill {
  const kind = random.pick(['previous', 'next', 'nearest', 'linear', 'zero', 'average'] as const)
  if (kind === 'previous' && random.chance(0.5))
    return { kind, maxAgeMs: random.pick([1, 3_600_000, 864e5, 5 * 864e5]) }
  return kind === 'average' ? { kind, points: random.pick([1, 2, 3, 1000]) } : { kind }
}

function createResample(
  random: Random,
  unit: Resample['unit'] = random.pick(['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS']),
): Resample {
  const all = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count'] as const
  const functions: Resample['functions'][number][] = random.some(all, 0.4)
  if (random.chance(0.4))
    functions.push(
      ...random.some(['median', 'stddev', 'time_weighted_mean', 'p0', 'p5', 'p97.5', 'p100'] as const, 0.4),
    )
  return {
    unit,
    ...(random.chance(0.3) ? { origin: createOrigin(random, unit) } : {}),
    amount: random.pick([1, 1, 2, 3, 15, 1000]),
    functions: functions.length > 0 ? functions : ['last'],
  }
}

const unitMs = {
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
  WEEKS: 604_800_000,
  MONTHS: 2.6e9,
  YEARS: 3e10,
}

/** Returns the same spans without gaps, if they are few. */
function withFill(random: Random, world: World, resample: Resample): Resample {
  const ms = Math.max(...world.times) - Math.min(...world.times)
  const isFew = ms / (resample.amount * unitMs[resample.unit]) < 500 && Math.min(...world.times) > 0
  if (!isFew || random.chance(0.5)) return resample
  const fill = createFill(random)
  return fill.kind === 'average' ? resample : { ...resample, fill }
}

/** Creates an origin of spans: any day, or the first of a month, at some time. */
function createOrigin(random: Random, unit: Resample['unit']): number {
  const isMonths = unit === 'MONTHS' || unit === 'YEARS'
  const day = isMonths ? 1 : 1 + random.below(28)
  const [hour, minute] = random.pick([
    [0, 0],
    [6, 0],
    [2, 30],
    [23, 15],
  ] as const)
  return Date.UTC(random.pick([1700, 1900, 1970, 2024]), random.below(12), day, hour, minute)
}

function createHours(random: Random): NonNullable<PlainQuery['hours']> {
  return random.pick([
    [{ from: 480, to: 1200 }],
    [{ from: 1350, to: 360 }],
    [
      { from: 0, to: 1 },
      { from: 720, to: 1440 },
    ],
  ])
}

function createCalendar(random: Random, world: World) {
  const dates = world.times.map((ts) => new Date(ts).toISOString().slice(0, 10))
  return {
    weekend: random.pick([[6, 7], [5, 6], [7], [], [1, 2, 3, 4, 5, 6]]),
    holidays: [...new Set(random.some(dates, 0.3))],
  }
}

/** Creates conditions on columns whose name has one type in the whole query. */
function createFilters(random: Random, world: World, query: PlainQuery): ValueFilter[] {
  const columns = query.selections.flatMap((selection) => selection.columns)
  const clear = columns.filter(({ name, type }) =>
    columns.every((other) => other.name !== name || other.type === type),
  )
  return Array.from({ length: random.pick([1, 1, 2]) }, (): ValueFilter => {
    const column =
      clear.length > 0 && random.chance(0.95)
        ? random.pick(clear)
        : { name: 'Nowhere', type: 'double' as const }
    const value = () => valueOf(column.type, world, random)
    const operator = random.pick<ValueFilter['operator']>([
      ...([
        'equals',
        'notEquals',
        'less',
        'lessOrEqual',
        'greater',
        'greaterOrEqual',
        'in',
        'isEmpty',
        'isNotEmpty',
      ] as const),
      ...(column.type === 'string' ? (['contains', 'startsWith', 'endsWith', 'contains'] as const) : []),
    ])
    if (operator === 'isEmpty' || operator === 'isNotEmpty') return { column: column.name, operator }
    if (operator === 'in') return { column: column.name, operator, value: [value(), value()] }
    return { column: column.name, operator, value: value() }
  })
}
