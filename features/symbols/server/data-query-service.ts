import { createHash } from 'node:crypto'
import { AppError, invalidInput, type AccessMode } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import { commonScope, type GroupAccess } from '@headwater/groups/server'
import type { Clock, Principal } from '@headwater/server-kit'
import {
  checkDatePattern,
  type QueryResult,
  type SeriesEngine,
  type SeriesFormula,
  type SeriesQuery,
  type ValueType,
  type WorkingCalendar,
} from '@headwater/timeseries'
import { symbolErrors, type DataQuery, type DataQueryParameters } from '../contract/index.ts'
import { toAppError } from './engine-app-error.ts'
import type { DataQueryStore, GroupState } from './data-query-store.ts'
import { foldCase } from './fold-case.ts'
import { resolveFormulas, type FormulaView } from './formula-resolver.ts'
import type { FormulasStore } from './formulas-store.ts'
import type { HolidayCalendarsService } from './holiday-calendars-service.ts'
import { columnMatcher } from './key-filter.ts'
import { maxPagedGroups, type PagePosition, type PageTokens } from './page-token.ts'
import { cachedSymbolsWithPoints } from './points-in-range.ts'
import { readableKeys, whileReadable } from './readable-keys.ts'
import { planSeries, type GroupedKey, type SeriesPlan } from './series-plan.ts'
import { checkVariantCount, hasAllValues, rowLimit, toEngineQuery, type EngineQuery } from './engine-query.ts'
import { seriesVariant } from './series-variant.ts'
import {
  splitFilters,
  toDateCondition,
  toValueFilter,
  type ColumnCondition,
  type SymbolCondition,
} from './value-filters.ts'
import { countsWorkingDays, workingYears } from './working-years.ts'

/** Dependencies of the data query service. */
export interface DataQueryDependencies {
  /** Finds the series of a query. */
  store: DataQueryStore
  /** Looks up the inputs of formulas. */
  inputs: Pick<DataQueryStore, 'byDigest' | 'columns'>
  /** Reads formulas. */
  formulas: Pick<FormulasStore, 'byIds'>
  /** Checks access to groups. */
  access: GroupAccess
  /** Returns the current state of a user; undefined if the account is not active. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Finds the files that a user with a range can read. */
  files: Pick<Files, 'idsWithin'>
  /** Reads points. */
  engine: SeriesEngine
  /** Holiday calendars for WORKING_DAYS. */
  calendars: Pick<HolidayCalendarsService, 'workingCalendar' | 'requireKnown'>
  /** Writes and reads page tokens. */
  pageTokens: PageTokens
  /** Time that counts as now. */
  clock: Clock
}

/** Result of a data query. */
export interface DataResult extends QueryResult {
  /** Token of the next page; absent for a query without pages. */
  nextPageToken?: string
}

/** Result of a data query for a caller. */
export interface CallerDataResult extends DataResult {
  /**
   * Whether it omits series or formula values that the caller or one of the `others` cannot read. It does not reveal
   * whether such data exist.
   */
  isPartial: boolean
}

/** Options of a data query. */
export interface DataQueryOptions {
  /** URL parameters. */
  parameters?: DataQueryParameters
  /** Aborts the query. */
  signal?: AbortSignal | undefined
  /**
   * Other users who must be able to read the data. The caller checks the groups of the keys before the start, and the
   * query checks the inputs of formulas. A result in progress ends when one of them can no longer read a group.
   */
  others?: readonly Principal[]
  /** Access that all users need, default R. */
  mode?: AccessMode
  /**
   * Whether groups that are shared with the caller within a range are included, limited to the range. Only for results
   * that nobody else receives. Default false.
   */
  withinRanges?: boolean
}

/** Runs data queries with the access of a caller. */
export interface DataQueryService {
  /**
   * Runs a query. URL parameters take precedence over the body. Formulas have values only if the `others` can also read
   * their inputs. `mode` is the access that all of them need, default R.
   * @throws AppError before the first byte, for an invalid query or a group that the caller cannot read
   */
  run(principal: Principal, query: DataQuery, options?: DataQueryOptions): Promise<CallerDataResult>
  /**
   * Rejects invalid offsets, date patterns and calendars before the query runs.
   * @throws AppError
   */
  check(query: DataQuery): Promise<void>
}

interface DataQueryContext extends DataQueryDependencies {
  /** Finds the symbols with points in the range of the caller. */
  withPoints: ReturnType<typeof cachedSymbolsWithPoints>
}

/** Creates the service. */
export function createDataQueryService(dependencies: DataQueryDependencies): DataQueryService {
  const deps: DataQueryContext = { ...dependencies, withPoints: cachedSymbolsWithPoints(dependencies) }
  return {
    check: (query) => check(deps, query),
    run: (principal, query, options) => run(deps, principal, query, options),
  }
}

/**
 * Returns the page position of a query: from its token, or the first page.
 * @returns undefined for a query without pages
 */
async function pagePosition(
  deps: DataQueryDependencies,
  given: PagePosition | undefined,
  query: DataQuery,
  groupIds: readonly number[],
  now: number,
): Promise<PagePosition | undefined> {
  if (given !== undefined) {
    const states = await deps.store.groupStates(
      await deps.store.groupsBehind(groupIds),
      newestVersion(given.states),
    )
    const isSame = states.every((state, index) => {
      const before = given.states[index]
      return (
        before?.groupId === state.groupId &&
        before.version === state.version &&
        before.files === state.files &&
        before.removed === state.removed &&
        before.formulas === state.formulas
      )
    })
    if (!isSame || states.length !== given.states.length) throw symbolErrors.pagesGone()
    return given
  }
  if ((query.size ?? -1) < 1) return undefined
  const behind = await deps.store.groupsBehind(groupIds)
  if (behind.length > maxPagedGroups) return undefined
  return { now, offset: 0, shape: '', states: await deps.store.groupStates(behind) }
}

async function calendarOf(
  deps: DataQueryDependencies,
  query: DataQuery,
  { range }: EngineQuery,
  keys: readonly GroupedKey[],
  { groupIds, now, signal }: { groupIds: readonly number[]; now: number; signal: AbortSignal | undefined },
): Promise<WorkingCalendar | undefined> {
  const { holidayCalendar } = query
  if (holidayCalendar === undefined) return undefined
  const variants = keys.map(({ variant }) => variant)
  if (!countsWorkingDays(range, variants)) {
    await deps.calendars.requireKnown(holidayCalendar)
    return undefined
  }
  const years = workingYears(
    range,
    variants,
    await deps.store.dataSpan(await deps.store.groupsBehind(groupIds)),
    now,
  )
  return deps.calendars.workingCalendar(holidayCalendar, years, signal)
}

/** Converts conditions on columns. For a group with a range, only the columns of the plan exist for the caller. */
async function valueFilters(
  deps: DataQueryDependencies,
  conditions: readonly ColumnCondition[],
  keys: readonly GroupedKey[],
  { selections, timeZone }: Pick<SeriesPlan, 'selections'> & { timeZone: string },
): Promise<NonNullable<SeriesQuery['filters']>> {
  if (conditions.length === 0) return []
  const whole = [...new Set(keys.flatMap(({ groupId, range }) => (range === undefined ? [groupId] : [])))]
  const limited = selections.filter(({ limits }) => limits !== undefined)
  const columns = [...(await deps.store.columns(whole)), ...limited.flatMap((each) => each.columns)]
  const matchers = keys.map(({ key }) => columnMatcher(key))
  return conditions.map((condition) => {
    const { name } = condition.filter
    if (!matchers.some((matches) => matches(name)))
      throw invalidInput([
        {
          field: `${condition.at}.name`,
          message: `The query does not select the column “${name}”. Add it to columns, or remove the condition.`,
        },
      ])
    const types = columns.filter((each) => each.name === name).map(({ type }) => type)
    return toValueFilter(condition, commonType(types), timeZone)
  })
}

/**
 * Compares date metadata as dates, other metadata as texts. In a query with a range, a value that is not a date is
 * compared as text, because an error would reveal the type of metadata of symbols outside the range.
 */
async function symbolConditions(
  deps: DataQueryDependencies,
  conditions: readonly SymbolCondition[],
  { groupIds, timeZone, isLimited }: { groupIds: readonly number[]; timeZone: string; isLimited: boolean },
): Promise<readonly SymbolCondition[]> {
  if (!conditions.some(({ kind }) => kind === 'metadata')) return conditions
  const columns = await deps.store.metadataColumns(groupIds)
  return conditions.map((condition) => {
    const own = columns.filter(({ name }) => foldCase(name) === foldCase(condition.name))
    const isDate = condition.kind === 'metadata' && own.length > 0 && own.every(({ type }) => type === 'date')
    if (!isDate) return condition
    try {
      return toDateCondition(condition, timeZone)
    } catch (error) {
      if (isLimited && error instanceof AppError) return condition
      throw error
    }
  })
}

async function computeFormulas(
  deps: DataQueryDependencies,
  principals: readonly Principal[],
  symbolIds: readonly number[],
  view: Pick<FormulaView, 'byDigest' | 'columns'>,
  { mode, ...events }: { mode: AccessMode } & Pick<FormulaView, 'onUnreadable' | 'onRead'>,
): Promise<ReadonlyMap<number, SeriesFormula>> {
  const scopes = await Promise.all(principals.map((each) => deps.access.scope(each, mode)))
  return resolveFormulas(deps.formulas, symbolIds, { ...view, ...events, scope: commonScope(scopes) })
}

async function fileTexts(
  deps: DataQueryDependencies,
  query: DataQuery,
  { range, asOf }: EngineQuery,
  keys: readonly GroupedKey[],
): Promise<SeriesQuery['versionTexts']> {
  if (!query.includeFileId || query.outputLayout === 'COLUMNS') return undefined
  const isFrom = query.delta && range.kind === 'BETWEEN' && range.from !== undefined
  const versions = { from: isFrom ? Math.floor(range.from! * 1000) : undefined, to: asOf }
  const groups = new Map(keys.map((key) => [key.groupId, key.range]))
  const idsOf = (limit: 'all' | 'range') =>
    [...groups].flatMap(([id, each]) => ((each === undefined) === (limit === 'all') ? [id] : []))
  const files = await deps.store.filesByVersion(idsOf('all'), versions)
  for (const groupId of idsOf('range')) {
    const readable = new Set(await deps.files.idsWithin(groupId, groups.get(groupId)!))
    const own = await deps.store.filesByVersion([groupId], versions)
    files.push(...own.filter(({ fileId }) => readable.has(fileId)))
  }
  return { name: 'FileId', texts: files.map(({ version, fileId }) => [version, fileId] as const) }
}

async function check(deps: DataQueryDependencies, query: DataQuery): Promise<void> {
  checkVariantCount(query.keys.map((key, index) => seriesVariant(key, `keys[${index}]`)))
  if (query.holidayCalendar !== undefined) await deps.calendars.requireKnown(query.holidayCalendar)
  try {
    if (query.dateFormat !== undefined) checkDatePattern(query.dateFormat)
  } catch (error) {
    throw toAppError(error)
  }
}

async function run(
  deps: DataQueryContext,
  principal: Principal,
  body: DataQuery,
  { parameters, signal, others = [], mode = 'R', withinRanges = false }: DataQueryOptions = {},
): Promise<CallerDataResult> {
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined)
  const query: DataQuery = { ...body, ...Object.fromEntries(given) }
  const token =
    query.nextPageToken === undefined
      ? undefined
      : deps.pageTokens.read(principal, query, query.nextPageToken)
  if (query.nextPageToken !== undefined && token === undefined) throw symbolErrors.pageTokenNotValid()
  const now = token?.now ?? deps.clock.now().getTime()
  const engineQuery = toEngineQuery(query, now)
  const filters = splitFilters(query.filters)
  const { keys, ...readable } = await readableKeys(deps.access, principal, query, {
    mode,
    withinRanges,
  })
  let { isPartial } = readable
  const onUnreadable = () => {
    isPartial = true
  }
  const inputGroupIds = new Set<number>()
  const onRead = (groupId: number) => inputGroupIds.add(groupId)
  // The given principals represent the access at the start.
  const principals = () => Promise.all([principal, ...others].map(({ userId }) => deps.findPrincipal(userId)))
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))].toSorted((a, b) => a - b)
  const page = await pagePosition(deps, token, query, groupIds, now)
  const pagedQuery = page === undefined ? engineQuery : atPage(engineQuery, page)
  const { timeZone } = pagedQuery
  const isLimited = keys.some(({ range }) => range !== undefined)
  const conditions = await symbolConditions(deps, filters.symbols, { groupIds, timeZone, isLimited })
  const [calendar, plan, versionTexts] = await Promise.all([
    calendarOf(deps, query, pagedQuery, keys, { groupIds, now, signal }),
    planSeries(deps.store, keys, {
      metadata: query.metadata,
      visibleKeys: query.aggregate && distinctKeys(query.aggregate.by),
      symbolSize: query.symbolSize === undefined || query.symbolSize < 0 ? undefined : query.symbolSize,
      timeZone,
      conditions,
      states: page?.states,
      inputs: deps.inputs,
      withPoints: (symbols) => deps.withPoints(symbols, signal),
      hasAllValues: hasAllValues(query),
      compute: (symbolIds, view) =>
        computeFormulas(deps, [principal, ...others], symbolIds, view, { mode, onUnreadable, onRead }),
    }),
    fileTexts(deps, query, pagedQuery, keys),
  ])
  const { selections } = plan
  const columnFilters = await valueFilters(deps, filters.columns, keys, { selections, timeZone })
  const shape = page === undefined ? '' : shapeOf(plan)
  if (page !== undefined && page.offset > 0 && page.shape !== shape) throw symbolErrors.pagesGone()
  try {
    const result = await deps.engine.query(
      {
        ...pagedQuery,
        ...plan,
        ...(columnFilters.length === 0 ? {} : { filters: columnFilters }),
        ...(calendar === undefined ? {} : { calendar }),
        // Omits the names of columns that have no value in the range. The plan has none of them if the result contains every value.
        ...(isLimited && !hasAllValues(query) ? { skipEmptyColumns: true } : {}),
        ...(versionTexts === undefined ? {} : { versionTexts }),
      },
      signal === undefined ? {} : { signal },
    )
    const nextPage = page && { ...page, shape, offset: page.offset + (rowLimit(query) ?? 0) }
    return {
      ...result,
      isPartial,
      stream: whileReadable(
        withAppErrors(result.stream),
        deps.access,
        { keys, inputGroupIds, principals },
        mode,
      ),
      ...(nextPage === undefined ? {} : { nextPageToken: deps.pageTokens.write(principal, query, nextPage) }),
    }
  } catch (error) {
    throw toAppError(error)
  }
}

/**
 * Returns the type as which a condition is parsed. Columns of one name can have different types in different groups.
 */
function commonType(types: readonly ValueType[]): ValueType | undefined {
  const [first, ...others] = new Set(types)
  if (others.length === 0) return first
  // The engine converts texts to numbers for numeric columns.
  return [first, ...others].every((type) => type === 'double' || type === 'integer') ? 'double' : 'string'
}

/** Returns the query as of the first page, from the first row of this page on. */
function atPage(engineQuery: EngineQuery, { offset, states }: PagePosition): EngineQuery {
  return { ...engineQuery, offset, asOf: Math.min(engineQuery.asOf ?? Infinity, newestVersion(states)) }
}

function newestVersion(states: readonly GroupState[]): number {
  return Math.max(0, ...states.map(({ version }) => version))
}

/** Returns a digest of the columns, to detect results with different columns. */
function shapeOf({ symbolKeys, metadataColumns, selections }: SeriesPlan): string {
  const columns = selections.map(({ columns, limits }) => [columns.map(({ id }) => id), limits])
  const text = JSON.stringify([symbolKeys, metadataColumns, columns])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** Removes names that differ only in case. */
function distinctKeys(names: readonly string[]): string[] {
  const folded = names.map(foldCase)
  return names.filter((_, index) => folded.indexOf(folded[index]!) === index)
}

/** Converts errors of the engine, so that a failure before the first byte becomes an error response. */
async function* withAppErrors(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw toAppError(error)
  }
}
