import { createHash } from 'node:crypto'
import { AppError, invalidInput, type AccessMode } from '@headwater/contract'
import { commonScope, type AccessibleGroup, type GroupAccess } from '@headwater/groups/server'
import { isRefusal, type Clock, type Principal } from '@headwater/server-kit'
import {
  checkDatePattern,
  SeriesEngineError,
  type QueryResult,
  type SeriesEngine,
  type SeriesFormula,
  type SeriesQuery,
  type ValueType,
  type WorkingCalendar,
} from '@headwater/timeseries'
import {
  dataKey,
  symbolErrors,
  type DataKey,
  type DataQuery,
  type DataQueryParameters,
} from '../contract/index.ts'
import type { DataQueryStore, GroupState } from './data-query-store.ts'
import { foldCase } from './fold-case.ts'
import { resolveFormulas, type FormulaView } from './formula-resolver.ts'
import type { FormulasStore } from './formulas-store.ts'
import type { HolidayCalendarsService } from './holiday-calendars-service.ts'
import { columnMatcher } from './key-filter.ts'
import { maxPagedGroups, type PagePosition, type PageTokens } from './page-token.ts'
import { planSeries, type GroupedKey, type SeriesPlan } from './series-plan.ts'
import {
  checkVariantCount,
  checkVariants,
  rowLimit,
  toSeriesQuestion,
  type SeriesQuestion,
} from './series-question.ts'
import { seriesVariant } from './series-variant.ts'
import {
  splitFilters,
  toDateCondition,
  toValueFilter,
  type ColumnCondition,
  type SymbolCondition,
} from './value-filters.ts'
import { countsWorkingDays, workingYears } from './working-years.ts'

export interface DataQueryDependencies {
  store: DataQueryStore
  /** Where series that formulas compute with are looked up. */
  inputs: Pick<DataQueryStore, 'byDigest' | 'columns'>
  formulas: Pick<FormulasStore, 'byIds'>
  access: GroupAccess
  engine: SeriesEngine
  calendars: Pick<HolidayCalendarsService, 'workingCalendar' | 'requireKnown'>
  pageTokens: PageTokens
  clock: Clock
}

/** The answer to a data query. */
export interface DataAnswer extends QueryResult {
  /** Leads to the next page; absent when the query asks for no pages. */
  nextPageToken?: string
}

/** The answer to a caller, as far as they may see it. */
export interface OwnDataAnswer extends DataAnswer {
  /**
   * Whether it leaves out what the caller or one of the `others` may not read: series of a group, or of a formula the values. It says
   * nothing of what is there.
   */
  isPartial: boolean
}

/** Answers data queries: what is asked for, as far as the caller may see it. */
export interface DataQueryService {
  /**
   * The answer as a stream of text. Parameters of the URL win over the body. Formulas have values only when the `others`
   * may read what they compute with, too. `mode` is the access that all of them need, default R.
   * @throws AppError before the first byte, for a question that makes no sense or a group that cannot be read
   */
  answer(
    principal: Principal,
    query: DataQuery,
    options?: {
      parameters?: DataQueryParameters
      signal?: AbortSignal | undefined
      others?: readonly Principal[]
      mode?: AccessMode
    },
  ): Promise<OwnDataAnswer>
  /**
   * Refuses offsets, a date pattern and a calendar that no answer can be made with, so that they are told of before a query is asked.
   * @throws AppError
   */
  check(query: DataQuery): Promise<void>
}

const wholeGroup: DataKey = dataKey.parse({})

/** Makes the service. */
export function createDataQueryService(dependencies: DataQueryDependencies): DataQueryService {
  const { store, inputs, formulas, access, engine, calendars, pageTokens, clock } = dependencies

  /** Keys of groups that can be read; the others are left out, unless none is left. */
  async function readableKeys(
    principal: Principal,
    query: DataQuery,
    mode: AccessMode,
  ): Promise<{ keys: GroupedKey[]; isPartial: boolean }> {
    const keys = keysOf(query)
    const variants = keys.map(({ key }, index) => seriesVariant(key, `keys[${index}]`))
    checkVariants(variants, query)
    const groups = new Map<string, AccessibleGroup | AppError>()
    for (const { groupName } of keys) {
      if (!groups.has(groupName)) groups.set(groupName, await findGroup(principal, groupName, mode))
    }
    const readable = keys.flatMap(({ key, groupName }, index) => {
      const group = groups.get(groupName)
      if (group === undefined || group instanceof AppError) return []
      return [{ key, groupId: group.id, scope: group.scope, variant: variants[index]! }]
    })
    if (readable.length > 0) return { keys: readable, isPartial: readable.length < keys.length }
    throw [...groups.values()].find((group) => group instanceof AppError)!
  }

  async function findGroup(
    principal: Principal,
    name: string,
    mode: AccessMode,
  ): Promise<AccessibleGroup | AppError> {
    try {
      return await access.getGroup(principal, name, mode)
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  }

  /**
   * Where the pages of a query stand: as its token says, or at the first one.
   * @returns undefined for a query without pages
   */
  async function pagePosition(
    given: PagePosition | undefined,
    query: DataQuery,
    groupIds: readonly number[],
    now: number,
  ): Promise<PagePosition | undefined> {
    if (given !== undefined) {
      const states = await store.groupStates(await store.groupsBehind(groupIds), newestVersion(given.states))
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
    const behind = await store.groupsBehind(groupIds)
    if (behind.length > maxPagedGroups) return undefined
    return { now, offset: 0, shape: '', states: await store.groupStates(behind) }
  }

  async function calendarOf(
    query: DataQuery,
    { range }: SeriesQuestion,
    keys: readonly GroupedKey[],
    { groupIds, now, signal }: { groupIds: readonly number[]; now: number; signal: AbortSignal | undefined },
  ): Promise<WorkingCalendar | undefined> {
    const { holidayCalendar } = query
    if (holidayCalendar === undefined) return undefined
    const variants = keys.map(({ variant }) => variant)
    if (!countsWorkingDays(range, variants)) {
      await calendars.requireKnown(holidayCalendar)
      return undefined
    }
    const years = workingYears(range, variants, await store.dataSpan(await store.groupsBehind(groupIds)), now)
    return calendars.workingCalendar(holidayCalendar, years, signal)
  }

  async function valueFilters(
    conditions: readonly ColumnCondition[],
    keys: readonly GroupedKey[],
    { groupIds, timeZone }: { groupIds: readonly number[]; timeZone: string },
  ): Promise<NonNullable<SeriesQuery['filters']>> {
    if (conditions.length === 0) return []
    const columns = await store.columns(groupIds)
    const asked = keys.map(({ key }) => columnMatcher(key))
    return conditions.map((condition) => {
      const { name } = condition.filter
      if (!asked.some((isAsked) => isAsked(name)))
        throw invalidInput([
          {
            field: `${condition.at}.name`,
            message: `A condition needs a column that the query asks for; “${name}” is none of them. Add it to columns.`,
          },
        ])
      const types = columns.filter((each) => each.name === name).map(({ type }) => type)
      return toValueFilter(condition, commonType(types), timeZone)
    })
  }

  /** Dates in the metadata of symbols are compared as dates, the other metadata as texts. */
  async function symbolConditions(
    conditions: readonly SymbolCondition[],
    { groupIds, timeZone }: { groupIds: readonly number[]; timeZone: string },
  ): Promise<readonly SymbolCondition[]> {
    if (!conditions.some(({ kind }) => kind === 'metadata')) return conditions
    const columns = await store.metadataColumns(groupIds)
    return conditions.map((condition) => {
      const own = columns.filter(({ name }) => foldCase(name) === foldCase(condition.name))
      const isDate =
        condition.kind === 'metadata' && own.length > 0 && own.every(({ type }) => type === 'date')
      return isDate ? toDateCondition(condition, timeZone) : condition
    })
  }

  async function computeFormulas(
    principals: readonly Principal[],
    symbolIds: readonly number[],
    view: Pick<FormulaView, 'byDigest' | 'columns'>,
    { mode, onUnreadable }: { mode: AccessMode; onUnreadable: () => void },
  ): Promise<ReadonlyMap<number, SeriesFormula>> {
    const scopes = await Promise.all(principals.map((each) => access.scope(each, mode)))
    return resolveFormulas(formulas, symbolIds, { ...view, scope: commonScope(scopes), onUnreadable })
  }

  async function fileTexts(
    query: DataQuery,
    { range, asOf }: SeriesQuestion,
    groupIds: readonly number[],
  ): Promise<SeriesQuery['versionTexts']> {
    if (!query.includeFileId || query.outputLayout === 'COLUMNS') return undefined
    const isFrom = query.delta && range.kind === 'BETWEEN' && range.from !== undefined
    const files = await store.filesByVersion(groupIds, {
      from: isFrom ? Math.floor(range.from! * 1000) : undefined,
      to: asOf,
    })
    return { name: 'FileId', texts: files.map(({ version, fileId }) => [version, fileId] as const) }
  }

  return {
    async check(query) {
      checkVariantCount(query.keys.map((key, index) => seriesVariant(key, `keys[${index}]`)))
      if (query.holidayCalendar !== undefined) await calendars.requireKnown(query.holidayCalendar)
      try {
        if (query.dateFormat !== undefined) checkDatePattern(query.dateFormat)
      } catch (error) {
        throw asAppError(error)
      }
    },

    async answer(principal, body, { parameters = {}, signal, others = [], mode = 'R' } = {}) {
      const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
      const query: DataQuery = { ...body, ...Object.fromEntries(given) }
      const token =
        query.nextPageToken === undefined ? undefined : pageTokens.read(principal, query, query.nextPageToken)
      if (query.nextPageToken !== undefined && token === undefined) throw symbolErrors.pageTokenNotValid()
      const now = token?.now ?? clock.now().getTime()
      const question = toSeriesQuestion(query, now)
      const filters = splitFilters(query.filters)
      const { keys, ...found } = await readableKeys(principal, query, mode)
      let { isPartial } = found
      const onUnreadable = () => {
        isPartial = true
      }
      const groupIds = [...new Set(keys.map(({ groupId }) => groupId))].toSorted((a, b) => a - b)
      const page = await pagePosition(token, query, groupIds, now)
      const asked = page === undefined ? question : atPage(question, page)
      const { timeZone } = asked
      const conditions = await symbolConditions(filters.symbols, { groupIds, timeZone })
      const [calendar, columnFilters, plan, versionTexts] = await Promise.all([
        calendarOf(query, asked, keys, { groupIds, now, signal }),
        valueFilters(filters.columns, keys, { groupIds, timeZone }),
        planSeries(store, keys, {
          metadata: query.metadata,
          shownKeys: query.aggregate && distinctKeys(query.aggregate.by),
          symbolSize: query.symbolSize === undefined || query.symbolSize < 0 ? undefined : query.symbolSize,
          timeZone,
          conditions,
          states: page?.states,
          inputs,
          compute: (symbolIds, view) =>
            computeFormulas([principal, ...others], symbolIds, view, { mode, onUnreadable }),
        }),
        fileTexts(query, asked, groupIds),
      ])
      const shape = page === undefined ? '' : shapeOf(plan)
      if (page !== undefined && page.offset > 0 && page.shape !== shape) throw symbolErrors.pagesGone()
      try {
        const answer = await engine.query(
          {
            ...asked,
            ...plan,
            ...(columnFilters.length === 0 ? {} : { filters: columnFilters }),
            ...(calendar === undefined ? {} : { calendar }),
            ...(versionTexts === undefined ? {} : { versionTexts }),
          },
          signal === undefined ? {} : { signal },
        )
        const nextPage = page && { ...page, shape, offset: page.offset + (rowLimit(query) ?? 0) }
        return {
          ...answer,
          isPartial,
          stream: tellOfFailure(answer.stream),
          ...(nextPage === undefined ? {} : { nextPageToken: pageTokens.write(principal, query, nextPage) }),
        }
      } catch (error) {
        throw asAppError(error)
      }
    },
  }
}

/** As what a condition is read on columns of one name, which may have other types in other groups. */
function commonType(types: readonly ValueType[]): ValueType | undefined {
  const [first, ...others] = new Set(types)
  if (others.length === 0) return first
  // The engine takes a text as a number where a column holds numbers.
  return [first, ...others].every((type) => type === 'double' || type === 'integer') ? 'double' : 'string'
}

/** The question as it was at the first page, from the rows of this page on. */
function atPage(question: SeriesQuestion, { offset, states }: PagePosition): SeriesQuestion {
  return { ...question, offset, asOf: Math.min(question.asOf ?? Infinity, newestVersion(states)) }
}

function newestVersion(states: readonly GroupState[]): number {
  return Math.max(0, ...states.map(({ version }) => version))
}

/** Tells answers with other columns apart. */
function shapeOf({ symbolKeys, metadataColumns, selections }: SeriesPlan): string {
  const columns = selections.map((selection) => selection.columns.map(({ id }) => id))
  const text = JSON.stringify([symbolKeys, metadataColumns, columns])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** Names of symbol keys, each once in whatever letter case. */
function distinctKeys(names: readonly string[]): string[] {
  const folded = names.map(foldCase)
  return names.filter((_, index) => folded.indexOf(folded[index]!) === index)
}

function keysOf(query: DataQuery): { key: DataKey; groupName: string }[] {
  if (query.keys.length === 0) {
    if (query.groupName === undefined) throw symbolErrors.noKeys()
    return [{ key: wholeGroup, groupName: query.groupName }]
  }
  return query.keys.map((key, index) => {
    const groupName = key.groupName ?? query.groupName
    if (groupName === undefined) throw symbolErrors.keyWithoutGroup({ index })
    const star = key.pattern ? undefined : Object.entries(key.symbols).find(([, value]) => value === '*')
    if (star !== undefined) throw symbolErrors.patternWithoutFlag({ index, key: star[0] })
    return { key, groupName }
  })
}

/** A store that fails while nothing of the answer has gone out yet can still be told of. */
async function* tellOfFailure(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw asAppError(error)
  }
}

function asAppError(error: unknown): unknown {
  if (!(error instanceof SeriesEngineError)) return error
  if (error.code === 'invalid' || error.code === 'too-large')
    return symbolErrors.questionRefused({ message: error.message })
  if (error.code === 'unavailable' || error.code === 'locked') return symbolErrors.seriesUnavailable()
  return error
}
