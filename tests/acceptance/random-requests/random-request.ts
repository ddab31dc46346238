import type { Random } from '../../../packages/timeseries/test/random-world.ts'
import type { PlainFormula, RequestBody, RequestFilter, RequestKey } from './plain-request.ts'
import type { PlainGroup, PlainSymbol, PlainWorld } from './plain-world.ts'

const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
const zones = ['Europe/London', 'Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
const patterns = [
  'd MMM yyyy HH:mm',
  "yyyy-MM-dd'T'HH:mm:ss.SSS",
  'yyyyMMdd HHmmssSSS',
  'EEE dd.MM.yyyy H:m:s.SSS',
]
const ages = ['30m', '6h', '2d', '1w']
const hour = 3_600_000

/** Creates a request that is valid according to the guide. */
export function createRequest(
  random: Random,
  world: PlainWorld,
  formulas: readonly PlainFormula[],
): RequestBody {
  const body: RequestBody = {}
  const corrections = random.pick(['false', 'false', 'false', 'true', 'history', 'only'] as const)
  if (corrections !== 'false') body.corrections = corrections
  if (random.chance(0.12)) body.delta = true
  if (random.chance(0.6)) body.formatType = random.pick(['NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW'])
  if (random.chance(0.05)) body.csv = true
  const format = body.csv ? 'NCSV' : (body.formatType ?? 'NCSV')
  const isCurrent = corrections === 'false'
  if (isCurrent && format !== 'UI' && format !== 'PANDAS' && random.chance(0.2)) body.outputLayout = 'COLUMNS'
  const isResampled = isCurrent && body.outputLayout === undefined && random.chance(0.25)
  if (random.chance(0.5)) body.timeZone = random.pick(zones)
  addKeys(random, world, body, { isCurrent, isResampled })
  const requested = requestedSymbols(world, body)
  addRange(random, world, body, requested)
  if (isResampled) body.resample = createResample(random)
  if (random.chance(0.2)) body.metadata = true
  if (random.chance(0.4)) body.order = random.pick(['asc', 'desc'])
  if (random.chance(0.3)) body.sortSymbols = random.chance(0.5)
  if (random.chance(0.2)) body.size = random.below(30)
  if (random.chance(0.1)) body.absoluteSize = random.below(30)
  const hasVariants = body.keys?.some((key) => key.offsetType !== undefined || key.fillType !== undefined)
  const hasFormulas = requested.some((symbol) => formulas.some((formula) => formula.symbol === symbol))
  if (!hasVariants && !hasFormulas && random.chance(0.1)) body.symbolSize = random.below(4)
  if (random.chance(0.15)) body.dateFormat = random.pick(patterns)
  if (random.chance(0.25)) body.decimalPrecision = random.below(4)
  if (body.decimalPrecision !== undefined && random.chance(0.7))
    body.roundingMode = random.pick(['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_EVEN'])
  if (random.chance(0.1)) body.stats = true
  if (!isResampled && random.chance(0.15)) body.includeFileId = true
  if (random.chance(0.12)) body.skipEmptyColumns = true
  if (random.chance(0.15)) body.countRows = true
  if (random.chance(0.2))
    body.onDateTime = dateText(
      random,
      world.files.map(([version]) => version / 1000),
    )
  if (random.chance(0.15)) {
    const times = timesOf(world, requested)
    if (random.chance(0.7)) body.windowStart = dateText(random, times)
    if (random.chance(0.7)) body.windowEnd = dateText(random, times)
  }
  if (random.chance(0.15)) body.hours = random.pick(['8-20', '22:30-6', ['0-1', '5-6:30'], '0-24'])
  if (random.chance(0.15))
    body.weekdays = random.pick([['MONDAY', 'TUE', 'FRI'], ['SAT', 'SUNDAY'], ['WEDNESDAY']])
  if (random.chance(0.35)) body.filters = createFilters(random, world, body)
  if (isCurrent && random.chance(0.25)) combine(random, body, requested)
  const isDrawable = !isResampled && body.outputLayout === undefined && body.size === undefined
  if (isDrawable && format === 'UI' && body.absoluteSize === undefined && random.chance(0.2))
    body.drawPoints = 4 + random.below(8)
  return body
}

function addKeys(
  random: Random,
  world: PlainWorld,
  body: RequestBody,
  { isCurrent, isResampled }: { isCurrent: boolean; isResampled: boolean },
): void {
  const canMove = isCurrent && !body.delta
  const isSingle = random.chance(0.7)
  if (random.chance(0.1)) {
    body.groupName = pickGroup(random, world).name
    return
  }
  const shared = pickGroup(random, world)
  if (random.chance(0.2)) body.groupName = shared.name
  body.keys = Array.from({ length: isSingle ? 1 : 2 + random.below(2) }, () => {
    const isShared = body.groupName !== undefined && random.chance(0.6)
    const group = isShared ? shared : pickGroup(random, world)
    const key = createKey(random, group, world.symbolsOf(group.dataset))
    if (!isShared) key.groupName = random.chance(0.03) ? 'Nowhere' : group.name
    if (canMove && random.chance(0.2)) {
      key.offsetAmount = (1 + random.below(random.pick([3, 30]))) * random.pick([1, -1])
      key.offsetType = random.pick([...units, 'WORKING_DAYS'])
    }
    if (isCurrent && !isResampled && random.chance(0.3)) {
      key.fillType = random.pick(['NONE', 'PREVIOUS', 'NEXT', 'NEAREST', 'LINEAR', 'ZERO', 'AVERAGE'])
      if (key.fillType === 'PREVIOUS' && random.chance(0.4)) key.fillMaxAge = random.pick(ages)
      if (key.fillType === 'AVERAGE' && random.chance(0.9)) key.avgPointsAmount = random.pick([1, 2, 3, 1000])
    }
    return key
  })
}

/** Formulas are in the last group and take longer than stored series. */
function pickGroup(random: Random, world: PlainWorld): PlainGroup {
  return random.pick(random.chance(0.4) ? world.groups : world.groups.slice(0, -1))
}

function createKey(random: Random, group: PlainGroup, symbols: readonly PlainSymbol[]): RequestKey {
  const key: RequestKey = {}
  const { keys } = random.pick(symbols)
  const kind = random.pick(['exact', 'exact', 'exact', 'pattern', 'pattern', 'group', 'unknown'] as const)
  if (kind === 'exact') key.symbols = keys
  if (kind === 'unknown') key.symbols = { ...keys, Code: 'NOTHING' }
  if (kind === 'pattern') {
    key.pattern = true
    const named = random.some(Object.entries(keys), 0.7)
    key.symbols = Object.fromEntries(
      named.map(([name, value]) => [
        random.chance(0.2) ? name.toLowerCase() : name,
        random.chance(0.3)
          ? value
          : random.pick(['*', `${value.slice(0, 1)}*`, `*${value.slice(-1)}`, `*${value.slice(1, 3)}*`]),
      ]),
    )
    if (random.chance(0.2)) key.patternExactMatch = true
    if (random.chance(0.15)) key.symbolValuesExactMatch = true
  }
  if (random.chance(0.6)) {
    const names = random.some(
      group.columns.map(({ name }) => name),
      0.6,
    )
    key.columns = [...names, ...(random.chance(0.05) ? ['Nothing'] : [])]
    if (key.pattern && names.length > 0 && random.chance(0.4))
      key.columns = [`${names[0]!.slice(0, 1)}*`, ...names.slice(1)]
  }
  if (random.chance(0.15)) key.metadatas = random.some(Object.keys(group.metadataTypes), 0.6)
  return key
}

/** Returns all symbols of the groups in a request, which is precise enough for choosing timestamps. */
function requestedSymbols(world: PlainWorld, body: RequestBody): PlainSymbol[] {
  const names = (body.keys ?? [{}]).map((key: RequestKey) => key.groupName ?? body.groupName ?? '')
  return world.symbols.filter(({ dataset }) => names.some((name) => world.group(name)?.dataset === dataset))
}

function timesOf(world: PlainWorld, symbols: readonly PlainSymbol[]): number[] {
  const times = symbols.flatMap((symbol) => {
    const { first, last } = world.spanOf(symbol) ?? { first: 0, last: -1 }
    const step = Math.max(1, (last - first) / 8)
    return Array.from(
      { length: last < first ? 0 : 9 },
      (_, index) => Math.round((first + index * step) / hour) * hour,
    )
  })
  return times.length > 0 ? times : [Date.UTC(2024, 2, 31)]
}

const relativeDates = [
  'now',
  'now-7d',
  'now/d',
  'now-1M/M',
  'now-1d+90m',
  'now/w',
  'now-2h/h',
  'now-1y',
  'now+3d/d',
  'now/y',
]

/** Creates a date of a request: near one of the given instants, or relative to now. */
function dateText(random: Random, times: readonly number[]): string {
  return random.chance(0.1) ? random.pick(relativeDates) : instantText(random, times)
}

/** Formats an instant near one of the given ones. */
function instantText(random: Random, times: readonly number[]): string {
  const ms = random.pick(times) + random.pick([0, 0, -1, 1, hour / 2])
  const iso = new Date(ms).toISOString()
  return random.pick([
    iso.slice(0, 10),
    iso.slice(0, 10),
    iso.slice(0, 19),
    iso.slice(0, 16).replace('T', ' '),
    iso.slice(0, 23),
    iso,
    `${new Date(ms + 2 * hour).toISOString().slice(0, 19)}+02:00`,
  ])
}

function addRange(
  random: Random,
  world: PlainWorld,
  body: RequestBody,
  requested: readonly PlainSymbol[],
): void {
  const times = body.delta ? world.files.map(([version]) => version / 1000) : timesOf(world, requested)
  const randomDate = () => dateText(random, times)
  const kind = random.pick(['none', 'dates', 'dates', 'last', 'last', 'next'] as const)
  if (kind === 'none') {
    if (random.chance(0.2)) body.range = 'ALL'
    return
  }
  if (kind === 'dates') {
    if (random.chance(0.8)) body.startDate = randomDate()
    if (random.chance(0.6)) body.endDate = randomDate()
    if (random.chance(0.3)) body.range = 'BETWEEN'
    return
  }
  const isUnit = body.delta || random.chance(0.5)
  if (isUnit) body.lastType = random.pick([...units, 'WORKING_DAYS'])
  else if (random.chance(0.3)) body.lastType = 'VALUES'
  body.lastTypeAmount = 1 + random.below(random.pick([4, 4, 40]))
  if (body.lastType === 'WORKING_DAYS' && random.chance(0.5)) body.holidayCalendar = 'GB-ENG'
  if (random.chance(0.2)) {
    body.time = random.pick(['02:30', '16:30:00', '00:00'])
    if (random.chance(0.5)) body.timezone = random.pick(zones)
  }
  body.range = kind === 'last' ? 'LAST' : 'NEXT'
  if (kind === 'last' && random.chance(0.4)) body.endDate = randomDate()
  if (kind === 'next' && random.chance(0.8)) body.startDate = randomDate()
}

/** Changes a request to combine series by some of their keys. */
function combine(random: Random, body: RequestBody, requested: readonly PlainSymbol[]): void {
  delete body.metadata
  delete body.includeFileId
  for (const key of body.keys ?? []) delete key.metadatas
  const functions = random.some(['SUM', 'MEAN', 'MIN', 'MAX', 'COUNT', 'MEDIAN', 'STDDEV', 'P5'], 0.3)
  const names = [...new Set([...requested.flatMap(({ keys }) => Object.keys(keys)), 'Nothing'])]
  const by = random.some(names, 0.3).map((name) => (random.chance(0.2) ? name.toLowerCase() : name))
  body.aggregate = {
    ...(by.length > 0 || random.chance(0.5) ? { by } : {}),
    functions: functions.length > 0 ? functions : ['SUM'],
  }
}

function createResample(random: Random): NonNullable<RequestBody['resample']> {
  const functions = random.some(['FIRST', 'LAST', 'MIN', 'MAX', 'MEAN', 'SUM', 'COUNT'], 0.4)
  if (random.chance(0.5))
    functions.push(...random.some(['MEDIAN', 'STDDEV', 'TIME_WEIGHTED_MEAN', 'P5', 'P99.9'], 0.4))
  const unit = random.pick(units)
  const firstOfMonth = random.pick(['2023-10-01', '2024-10-01T06:00'])
  const anyDay = random.pick(['06:00', '2024-01-07', '2024-02-29T22:30', '02:30'])
  const isOfMonths = unit === 'MONTHS' || unit === 'YEARS'
  return {
    unit,
    ...(random.chance(0.4) ? { origin: isOfMonths ? firstOfMonth : anyDay } : {}),
    ...(random.chance(0.6) ? { amount: random.pick([1, 2, 3, 7, 15]) } : {}),
    functions: functions.length > 0 ? functions : ['LAST'],
    ...createSpanFill(random, unit),
  }
}

/** Uses only units that result in few spans. */
function createSpanFill(random: Random, unit: string): { fill?: string; fillMaxAge?: string } {
  if (unit === 'MINUTES' || random.chance(0.6)) return {}
  const fill = random.pick(['PREVIOUS', 'NEXT', 'NEAREST', 'LINEAR', 'ZERO'])
  return { fill, ...(fill === 'PREVIOUS' && random.chance(0.4) ? { fillMaxAge: random.pick(ages) } : {}) }
}

function createFilters(random: Random, world: PlainWorld, body: RequestBody): RequestFilter[] {
  const keys = (body.keys ?? [{}]).filter((key) => world.group(key.groupName ?? body.groupName ?? ''))
  const groups = keys.map((key) => world.group(key.groupName ?? body.groupName ?? '')!)
  const columns = groups.flatMap((group, at) => {
    const names = keys[at]!.columns ?? []
    return group.columns.filter(({ name }) => names.length === 0 || names.includes(name))
  })
  const types = new Map(groups.flatMap((group) => group.columns).map(({ name, type }) => [name, type]))
  const symbols = requestedSymbols(world, body)
  return Array.from({ length: 1 + random.below(2) }, (): RequestFilter => {
    const kind =
      columns.length === 0 ? 'symbols' : random.pick(['column', 'column', 'symbols', 'metadata'] as const)
    if (kind === 'column' || symbols.length === 0) {
      if (columns.length === 0) return { name: 'symbols.Code', operator: 'IS_NOT_EMPTY' }
      const { name } = random.pick(columns)
      const type = types.get(name)!
      const valueOf = {
        double: () => random.pick([0, 0.5, 71.3, '72', -1.5]),
        integer: () => random.pick([1, 2, '100', -3]),
        string: () => random.pick(['storm', 'calm', 'N', '7', 'a,b']),
        date: () => instantText(random, timesOf(world, symbols)),
      }[type]
      return createFilter(random, name, type === 'string', valueOf)
    }
    const symbol = random.pick(symbols)
    const map = kind === 'symbols' ? symbol.keys : symbol.metadata
    const [name, text] = random.pick([...Object.entries(map), ['Code', 'LOAD']])
    const dates = world.groups
      .flatMap((group) => Object.entries(group.metadataTypes))
      .filter(([, type]) => type === 'date')
    const isDate = kind === 'metadata' && dates.some(([date]) => date === name)
    const visible = random.chance(0.3) ? name.toLowerCase() : name
    return createFilter(random, `${kind}.${visible}`, !isDate, () =>
      isDate
        ? random.pick(['2001-07-01', '2024-01-31T22:30:00', '2010-01-01'])
        : random.pick([text, text.slice(0, 2), '2.50', 'M'].filter(Boolean)),
    )
  })
}

function createFilter(
  random: Random,
  name: string,
  isText: boolean,
  valueOf: () => string | number,
): RequestFilter {
  const operator = random.pick([
    'EQUALS',
    'NOT_EQUALS',
    'LESS',
    'LESS_OR_EQUAL',
    'GREATER',
    'GREATER_OR_EQUAL',
    'IN',
    'IS_EMPTY',
    'IS_NOT_EMPTY',
    ...(isText ? ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] : []),
  ])
  if (operator === 'IS_EMPTY' || operator === 'IS_NOT_EMPTY') return { name, operator }
  return { name, operator, value: operator === 'IN' ? [valueOf(), valueOf()] : valueOf() }
}

const texts = [
  'range',
  'lastType',
  'formatType',
  'outputLayout',
  'roundingMode',
  'offsetType',
  'fillType',
  'unit',
  'operator',
]

/** Returns the same request in other spellings that the guide allows. */
export function respell(random: Random, body: RequestBody): unknown {
  const walk = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value))
      return value.map((item) => (name === 'functions' ? walk(item, 'unit') : walk(item)))
    if (typeof value === 'string')
      return texts.includes(name) && random.chance(0.3)
        ? value.toLowerCase().replaceAll('_', random.pick([' ', '-', '_']))
        : value
    if (typeof value === 'boolean' && random.chance(0.2)) return String(value)
    const isNumberField = ['size', 'lastTypeAmount', 'amount', 'decimalPrecision', 'offsetAmount'].includes(
      name,
    )
    if (typeof value === 'number' && isNumberField && random.chance(0.3)) return String(value)
    if (typeof value !== 'object' || value === null || name === 'symbols') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]))
  }
  const spelt = walk(body) as Record<string, unknown>
  return random.chance(0.1) ? { startDate: null, filters: null, size: null, ...spelt } : spelt
}
