import type { SeriesFormula } from '../../../packages/timeseries/src/series-formula.ts'
import {
  addCalendarTime,
  beginOfSpan,
  endOfSpan,
  PlainZone,
} from '../../../packages/timeseries/test/plain-calendar.ts'
import type { PlainQuery } from '../../../packages/timeseries/test/plain-table.ts'
import {
  isSameMap,
  type ColumnType,
  type PlainColumnOfGroup,
  type PlainSymbol,
  type PlainWorld,
} from './plain-world.ts'

/** A key of a request with the main names of the guide. */
export interface RequestKey {
  groupName?: string
  symbols?: Record<string, string>
  columns?: string[]
  metadatas?: string[]
  pattern?: boolean
  patternExactMatch?: boolean
  symbolValuesExactMatch?: boolean
  offsetAmount?: number
  offsetType?: Unit
  fillType?: string
  avgPointsAmount?: number
  fillMaxAge?: string
}

type Unit = 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS' | 'WORKING_DAYS'

/** A request with the main names of the guide. */
export interface RequestBody {
  keys?: RequestKey[]
  groupName?: string
  range?: 'ALL' | 'BETWEEN' | 'LAST' | 'NEXT'
  startDate?: string
  endDate?: string
  lastType?: 'VALUES' | Unit
  lastTypeAmount?: number
  time?: string
  timezone?: string
  holidayCalendar?: 'GB-ENG'
  onDateTime?: string
  corrections?: 'false' | 'true' | 'history' | 'only'
  delta?: boolean
  formatType?: 'NCSV' | 'STANDARD' | 'PANDAS' | 'UI' | 'ARROW'
  timeZone?: string
  metadata?: boolean
  order?: 'asc' | 'desc'
  sortSymbols?: boolean
  size?: number
  absoluteSize?: number
  symbolSize?: number
  csv?: boolean
  dateFormat?: string
  decimalPrecision?: number
  roundingMode?: PlainQuery['roundingMode']
  stats?: boolean
  includeFileId?: boolean
  skipEmptyColumns?: boolean
  outputLayout?: 'ROWS' | 'COLUMNS'
  drawPoints?: number
  windowStart?: string
  windowEnd?: string
  countRows?: boolean
  resample?: {
    unit: Exclude<Unit, 'WORKING_DAYS'>
    amount?: number
    functions: string[]
    origin?: string
    fill?: string
    fillMaxAge?: string
  }
  aggregate?: { by?: string[]; functions: string[] }
  hours?: string | string[]
  weekdays?: string[]
  filters?: RequestFilter[]
}

export interface RequestFilter {
  name: string
  operator: string
  value?: string | number | (string | number)[]
}

/** A formula of the world: the symbol and what it computes. */
export interface PlainFormula {
  symbol: PlainSymbol
  formula: SeriesFormula
}

/** Bank holidays of England, https://www.gov.uk/bank-holidays. */
const englishHolidays =
  '2023-01-02 2023-04-07 2023-04-10 2023-05-01 2023-05-08 2023-05-29 2023-08-28 2023-12-25 2023-12-26 2024-01-01 2024-03-29 2024-04-01 2024-05-06 2024-05-27 2024-08-26 2024-12-25 2024-12-26 2025-01-01 2025-04-18 2025-04-21 2025-05-05 2025-05-26 2025-08-25 2025-12-25 2025-12-26'.split(
    ' ',
  )

const daysOfWeek = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** Interprets a request according to the guide; undefined if none of its groups exists. */
export function readRequest(
  world: PlainWorld,
  formulas: readonly PlainFormula[],
  body: RequestBody,
  now: number,
): PlainQuery | undefined {
  const zone = new PlainZone(body.timeZone ?? 'UTC')
  const date = (text: string, isEnd: boolean) => dateOf(text, { zone, isEnd, now })
  const named = body.keys?.length ? body.keys : [{}]
  const keys = named.filter((key) => world.group(key.groupName ?? body.groupName ?? '') !== undefined)
  if (keys.length === 0) return undefined
  const limits = [body.size ?? -1, body.absoluteSize ?? -1].filter((limit) => limit >= 0)
  const limit = limits.length === 0 ? undefined : Math.min(...limits)
  const isColumnFilter = ({ name }: RequestFilter) => !/^(symbols|metadata)\./i.test(name)
  const symbolFilters = (body.filters ?? []).filter((filter) => !isColumnFilter(filter))
  const series = readKeys(world, formulas, body, { keys, symbolFilters, zone })
  const asOf = body.onDateTime === undefined ? undefined : date(body.onDateTime, true)
  const query: PlainQuery = {
    ...series,
    range: rangeOf(body, zone, now),
    corrections: body.corrections ?? 'false',
    delta: body.delta ?? false,
    order: body.order ?? 'asc',
    sortBy: (body.sortSymbols ?? limit === undefined) ? 'series' : 'time',
    timeZone: body.timeZone ?? 'UTC',
    format: body.csv ? 'NCSV' : (body.formatType ?? 'NCSV'),
    repeatAsData: true,
  }
  const hasStatistics = query.format === 'STANDARD' || query.format === 'UI'
  if (body.stats && hasStatistics) query.statistics = true
  if (body.skipEmptyColumns) query.skipEmptyColumns = true
  if (body.outputLayout === 'COLUMNS') query.layout = 'columns'
  if (asOf !== undefined) query.asOf = asOf * 1000 + 999
  if (limit !== undefined) query.limit = limit
  if (body.drawPoints !== undefined) query.drawPoints = body.drawPoints
  if (body.dateFormat !== undefined) query.dateFormat = body.dateFormat
  if (body.decimalPrecision !== undefined) query.decimalPrecision = body.decimalPrecision
  if (body.roundingMode !== undefined) query.roundingMode = body.roundingMode
  if (body.windowStart !== undefined || body.windowEnd !== undefined)
    query.window = {
      ...(body.windowStart === undefined ? {} : { from: date(body.windowStart, false) }),
      ...(body.windowEnd === undefined ? {} : { to: date(body.windowEnd, true) }),
    }
  if (body.resample)
    query.resample = {
      unit: body.resample.unit,
      amount: body.resample.amount ?? 1,
      functions: body.resample.functions.map((name) => name.toLowerCase() as never),
      ...(body.resample.origin === undefined
        ? {}
        : { origin: originOf(body.resample.origin, body.resample.unit) }),
    }
  const spanFill =
    body.resample && variantOf({ ...body.resample, fillType: body.resample.fill ?? 'NONE' }).fill
  if (spanFill) query.resample = { ...query.resample!, fill: spanFill }
  if (body.aggregate)
    query.aggregate = { functions: body.aggregate.functions.map((name) => name.toLowerCase() as never) }
  if (body.hours !== undefined)
    query.hours = [body.hours].flat().map((text) => {
      const [from, to] = text.split('-').map((part) => {
        const [hour, minute = '0'] = part.split(':')
        return Number(hour) * 60 + Number(minute)
      })
      return { from: from!, to: to! }
    })
  if (body.weekdays) query.weekdays = body.weekdays.map((name) => daysOfWeek.indexOf(name.slice(0, 3)) + 1)
  if (body.holidayCalendar) query.calendar = { weekend: [6, 7], holidays: englishHolidays }
  if (body.includeFileId && body.outputLayout !== 'COLUMNS')
    query.versionTexts = { name: 'FileId', texts: world.files }
  const columns = series.selections.flatMap((selection) => selection.columns)
  const filters = (body.filters ?? []).filter(isColumnFilter)
  if (filters.length > 0) query.filters = filters.map((filter) => columnFilter(filter, columns, zone))
  return query
}

/** Returns the origin of spans in local time; a time alone belongs to the day of the default origin. */
function originOf(text: string, unit: string): number {
  if (text.length === 5) return Date.parse(`${unit === 'WEEKS' ? '1969-12-29' : '1970-01-01'}T${text}Z`)
  return Date.parse(text.length === 10 ? `${text}T00:00Z` : `${text}Z`)
}

interface MatchingSeries {
  symbol: PlainSymbol
  columns: Set<PlainColumnOfGroup>
  variant: Pick<PlainQuery['selections'][number], 'shift' | 'fill'>
  metadata: Set<string>
}

function readKeys(
  world: PlainWorld,
  formulas: readonly PlainFormula[],
  body: RequestBody,
  {
    keys,
    symbolFilters,
    zone,
  }: { keys: readonly RequestKey[]; symbolFilters: readonly RequestFilter[]; zone: PlainZone },
): Pick<PlainQuery, 'symbolKeys' | 'selections' | 'metadataColumns'> {
  const result = new Map<string, MatchingSeries>()
  const groupOf = (key: RequestKey) => world.group(key.groupName ?? body.groupName ?? '')!
  const formulaOf = (symbol: PlainSymbol) => formulas.find((each) => each.symbol === symbol)?.formula
  for (const key of keys) {
    const group = groupOf(key)
    const isChosen = (symbol: PlainSymbol) =>
      isMeant(symbol, key) && symbolFilters.every((filter) => meetsSymbolFilter(symbol, filter, world, zone))
    const symbols = world.symbolsOf(group.dataset).filter(isChosen)
    // A single key gives all of its series the same columns.
    const isAlone = keys.length === 1 && isOpen(key)
    const withValues = new Set(symbols.flatMap((symbol) => [...symbol.columns]))
    for (const symbol of symbols) {
      const variant = variantOf(key)
      const location = `${symbol.id} ${JSON.stringify(variant)}`
      const each = result.get(location) ?? { symbol, columns: new Set(), variant, metadata: new Set() }
      result.set(location, each)
      for (const column of group.columns) {
        const hasValues = isAlone ? withValues.has(column.id) : symbol.columns.has(column.id)
        const isWanted = key.columns?.length ? isNamed(column.name, key) : hasValues
        // A formula has only its own column.
        if (isWanted && (!formulaOf(symbol) || symbol.columns.has(column.id))) each.columns.add(column)
      }
      const visible = key.metadatas?.length
        ? key.metadatas
        : body.metadata
          ? Object.keys(symbol.metadata)
          : []
      for (const name of visible) each.metadata.add(name)
    }
  }
  const size = body.symbolSize ?? -1
  const all = [...result.values()]
  const wanted = all.slice(0, size < 0 ? undefined : size)
  // The header of a single key includes all its series, even if none of them is requested or exists.
  const only = keys.length === 1 && isOpen(keys[0]!) ? keys[0] : undefined
  const visibleSeries = only ? all : wanted
  const ownKeys = [...new Set(visibleSeries.flatMap(({ symbol }) => Object.keys(symbol.keys)))].sort()
  const symbolKeys = body.aggregate ? (body.aggregate.by ?? []) : ownKeys
  const types = Object.assign({}, ...keys.map((key) => groupOf(key).metadataTypes)) as Record<
    string,
    ColumnType
  >
  const visibleNames = new Set([
    ...visibleSeries.flatMap(({ metadata }) => [...metadata]),
    ...keys.flatMap((key) => key.metadatas ?? []),
  ])
  const metadataColumns = [...visibleNames]
    .filter((name) => name in types)
    .sort()
    .map((name) => ({ name, type: types[name]! }))
  const sets = Map.groupBy(
    wanted.filter(({ columns }) => columns.size > 0),
    ({ symbol, columns, variant }) =>
      `${formulaOf(symbol) ? symbol.id : ''} ${symbol.dataset} ${[...columns]
        .map(({ id }) => id)
        .sort((a, b) => a - b)
        .join()} ${JSON.stringify(variant)}`,
  )
  const byName = (a: { name: string }, b: { name: string }) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0
  const selections = [...sets.values()].map((set) => {
    const formula = formulaOf(set[0]!.symbol)
    return {
      dataset: set[0]!.symbol.dataset,
      columns: [...set[0]!.columns].sort(byName),
      series: set.map(({ symbol, metadata }) => ({
        sid: symbol.id,
        symbols: symbolKeys.map(
          (name) =>
            Object.entries(symbol.keys).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? '',
        ),
        metadata: metadataColumns.map(({ name, type }) => {
          const text = metadata.has(name) ? (symbol.metadata[name] ?? '') : ''
          return type === 'date' && text !== '' ? localText(zone.toLocal(Date.parse(`${text}Z`))) : text
        }),
      })),
      ...(formula ? { formula } : {}),
      ...set[0]!.variant,
    }
  })
  if (only && selections.length === 0) {
    const named = groupOf(only).columns.filter(({ name }) => only.columns?.length && isNamed(name, only))
    const columns = new Set([...named, ...all.flatMap((each) => [...each.columns])])
    selections.push({ dataset: 0, columns: [...columns].sort(byName), series: [] })
  }
  // Columns are sorted by name.
  const columns = selections.flatMap((selection) => selection.columns).sort(byName)
  return {
    symbolKeys,
    metadataColumns,
    selections: [...(selections.length > 1 ? [{ dataset: 0, series: [], columns }] : []), ...selections],
  }
}

function isOpen(key: RequestKey): boolean {
  return key.pattern === true || Object.keys(key.symbols ?? {}).length === 0
}

function isMeant(symbol: PlainSymbol, key: RequestKey): boolean {
  const named = key.symbols ?? {}
  if (isOpen(key) && !key.pattern) return true
  if (!key.pattern) return isSameMap(symbol.keys, named)
  const count = Object.keys(named).length
  if (key.patternExactMatch && count > 0 && Object.keys(symbol.keys).length !== count) return false
  return Object.entries(named).every(([name, text]) =>
    Object.entries(symbol.keys).some(
      ([own, value]) =>
        own.toLowerCase() === name.toLowerCase() &&
        (key.symbolValuesExactMatch ? value === text : isLike(value, text)),
    ),
  )
}

function isNamed(name: string, key: RequestKey): boolean {
  return key.columns!.some((wanted) => wanted === name || (key.pattern === true && isLike(name, wanted)))
}

/** Returns whether a string is a pattern in which a star matches any text. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^]*')}$`).test(text)
}

const fillKinds: Record<string, 'previous' | 'next' | 'nearest' | 'linear' | 'zero'> = {
  PREVIOUS: 'previous',
  NEXT: 'next',
  NEAREST: 'nearest',
  LINEAR: 'linear',
  ZERO: 'zero',
}

function variantOf(key: RequestKey): MatchingSeries['variant'] {
  const { offsetAmount: amount = 0, offsetType: unit, fillType = 'NONE', avgPointsAmount: points } = key
  const kind = fillKinds[fillType]
  return {
    ...(unit !== undefined && Number.isInteger(amount) && amount !== 0 ? { shift: { amount, unit } } : {}),
    ...(kind ? { fill: { kind, ...(key.fillMaxAge ? { maxAgeMs: lengthOf(key.fillMaxAge) } : {}) } } : {}),
    ...(fillType === 'AVERAGE' && points !== undefined ? { fill: { kind: 'average', points } } : {}),
  }
}

/** Parses a duration such as `90m` into milliseconds. */
function lengthOf(text: string): number {
  return (
    Number.parseInt(text) * { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }[text.slice(-1) as 'm']
  )
}

function rangeOf(body: RequestBody, zone: PlainZone, now: number): PlainQuery['range'] {
  const { lastType: unit = 'VALUES', lastTypeAmount: amount = 500, startDate, endDate } = body
  const hasDate = startDate !== undefined || endDate !== undefined
  const kind = body.range ?? (hasDate ? 'BETWEEN' : body.lastTypeAmount === undefined ? 'ALL' : 'LAST')
  const from = startDate === undefined ? undefined : dateOf(startDate, { zone, isEnd: false, now })
  const to = endDate === undefined ? undefined : dateOf(endDate, { zone, isEnd: true, now })
  if (kind === 'ALL') return { kind }
  if (kind === 'BETWEEN')
    return { kind, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const timed = body.time === undefined || unit === 'VALUES' ? undefined : latestAt(body.time, body, now)
  if (kind === 'NEXT') return { kind, unit, amount, anchor: from ?? timed ?? now }
  const anchor = to ?? timed ?? (body.delta ? now : undefined)
  return { kind, unit, amount, ...(anchor === undefined ? {} : { anchor }) }
}

/** Returns the latest instant, not after now, with a local time of day. */
function latestAt(time: string, body: RequestBody, now: number): number {
  const zone = new PlainZone(body.timezone ?? body.timeZone ?? 'UTC')
  const today = localText(zone.toLocal(now)).slice(0, 10)
  for (let back = 0; ; back++) {
    const local = Date.parse(`${today}T${time}Z`) - back * 86_400_000
    const instants = zone.instantsOf(local).filter((ms) => ms <= now && zone.toLocal(ms) === local)
    if (instants.length > 0) return Math.max(...instants)
  }
}

const relativeUnits = { m: 'MINUTES', h: 'HOURS', d: 'DAYS', w: 'WEEKS', M: 'MONTHS', y: 'YEARS' } as const

/** Parses a date of a request, which can be relative to now. */
function dateOf(
  text: string,
  { zone, isEnd, now }: { zone: PlainZone; isEnd: boolean; now: number },
): number {
  if (!text.startsWith('now')) return timestampOf(text, zone, isEnd)
  const [steps = '', rounding] = text.slice(3).split('/')
  const moved = (steps.match(/[+-]\d+\w/g) ?? []).reduce(
    (ms, step) => addCalendarTime(ms, Number.parseInt(step), relativeUnits[step.slice(-1) as 'm'], zone),
    now,
  )
  if (rounding === undefined) return moved
  const unit = relativeUnits[rounding as 'm']
  return isEnd ? endOfSpan(moved, 1, unit, zone) - 1 : beginOfSpan(moved, 1, unit, zone)
}

/** Parses an ISO text, which is local to a zone unless it has an offset; a date alone is its first or last millisecond. */
export function timestampOf(text: string, zone: PlainZone, isEnd: boolean): number {
  const isDay = text.length === 10
  if (!isDay && /(Z|[+-]\d\d:?\d\d)$/.test(text)) return Date.parse(text.replace(' ', 'T'))
  return zone.fromLocal(
    Date.parse(isDay ? `${text}T${isEnd ? '23:59:59.999' : '00:00'}Z` : `${text.replace(' ', 'T')}Z`),
  )
}

function localText(local: number): string {
  return new Date(local).toISOString().replace(/(\.000)?Z$/, '')
}

const isNumberText = (text: string) => /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)

/** Conditions on symbols compare texts, but numbers as numbers and dates as dates. */
function meetsSymbolFilter(
  symbol: PlainSymbol,
  { name, operator, value }: RequestFilter,
  world: PlainWorld,
  zone: PlainZone,
): boolean {
  const [, kind = '', key = ''] = /^(symbols|metadata)\.(.+)$/i.exec(name)!
  const isMetadata = kind.toLowerCase() === 'metadata'
  const map = isMetadata ? symbol.metadata : symbol.keys
  const stored = Object.entries(map).find(([own]) => own.toLowerCase() === key.toLowerCase())?.[1] ?? ''
  const group = world.groups.find(({ dataset }) => dataset === symbol.dataset)!
  const type = Object.entries(group.metadataTypes).find(
    ([own]) => own.toLowerCase() === key.toLowerCase(),
  )?.[1]
  const isEnd = operator === 'LESS_OR_EQUAL' || operator === 'GREATER'
  const values = [value ?? ''].flat().map((item) => {
    const isDate = isMetadata && type === 'date' && item !== ''
    return isDate ? localText(timestampOf(String(item), zone, isEnd)) : String(item)
  })
  const [wanted = ''] = values
  const isEqual = (text: string) =>
    text === stored || (isNumberText(text) && isNumberText(stored) && Number(text) === Number(stored))
  const order = () => {
    if (isNumberText(wanted)) return isNumberText(stored) ? Number(stored) - Number(wanted) : Number.NaN
    return stored === '' ? Number.NaN : Buffer.compare(Buffer.from(stored), Buffer.from(wanted))
  }
  const [text, part] = [stored.toLowerCase(), wanted.toLowerCase()]
  switch (operator) {
    case 'IS_EMPTY':
      return stored === ''
    case 'IS_NOT_EMPTY':
      return stored !== ''
    case 'EQUALS':
      return isEqual(wanted)
    case 'NOT_EQUALS':
      return !isEqual(wanted)
    case 'IN':
      return values.some(isEqual)
    case 'CONTAINS':
      return text.includes(part)
    case 'STARTS_WITH':
      return text.startsWith(part)
    case 'ENDS_WITH':
      return text.endsWith(part)
    case 'LESS':
      return order() < 0
    case 'LESS_OR_EQUAL':
      return order() <= 0
    case 'GREATER':
      return order() > 0
    default:
      return order() >= 0
  }
}

const operators: Record<string, string> = {
  LESS_OR_EQUAL: 'lessOrEqual',
  GREATER_OR_EQUAL: 'greaterOrEqual',
  NOT_EQUALS: 'notEquals',
  STARTS_WITH: 'startsWith',
  ENDS_WITH: 'endsWith',
  IS_EMPTY: 'isEmpty',
  IS_NOT_EMPTY: 'isNotEmpty',
}

function columnFilter(
  { name, operator, value }: RequestFilter,
  columns: readonly { name: string; type: ColumnType }[],
  zone: PlainZone,
): NonNullable<PlainQuery['filters']>[number] {
  const plain = (operators[operator] ?? operator.toLowerCase()) as never
  if (value === undefined) return { column: name, operator: plain }
  const isDate = columns.some((column) => column.name === name && column.type === 'date')
  const isEnd = operator === 'LESS_OR_EQUAL' || operator === 'GREATER'
  const valueOf = (item: string | number) => (isDate ? timestampOf(String(item), zone, isEnd) : item)
  return { column: name, operator: plain, value: Array.isArray(value) ? value.map(valueOf) : valueOf(value) }
}
