import { AppError } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { Clock, Principal } from '@headwater/server-kit'
import { SeriesEngineError, type QueryAnswer, type SeriesEngine } from '@headwater/timeseries'
import {
  dataKey,
  symbolErrors,
  type DataKey,
  type DataQuery,
  type DataQueryParameters,
} from '../contract/index.ts'
import type { DataQueryStore } from './data-query-store.ts'
import { planSeries, type GroupedKey } from './series-plan.ts'
import { toSeriesQuestion } from './series-question.ts'

export interface DataQueryDependencies {
  store: DataQueryStore
  access: GroupAccess
  engine: SeriesEngine
  clock: Clock
}

/** Answers data queries: what is asked for, as far as the caller may see it. */
export interface DataQueryService {
  /**
   * The answer as a stream of text. Parameters of the URL win over the body.
   * @throws AppError before the first byte, for a question that makes no sense or a group that cannot be read
   */
  answer(
    principal: Principal,
    query: DataQuery,
    options?: { parameters?: DataQueryParameters; signal?: AbortSignal },
  ): Promise<QueryAnswer>
}

const wholeGroup: DataKey = dataKey.parse({})

/** Makes the service. */
export function createDataQueryService(dependencies: DataQueryDependencies): DataQueryService {
  const { store, access, engine, clock } = dependencies

  /** Keys of groups that can be read; the others are left out, unless none is left. */
  async function readableKeys(principal: Principal, query: DataQuery): Promise<GroupedKey[]> {
    const keys = keysOf(query)
    const groups = new Map<string, number | AppError>()
    for (const { groupName } of keys) {
      if (!groups.has(groupName)) groups.set(groupName, await findGroup(principal, groupName))
    }
    const readable = keys.flatMap(({ key, groupName }) => {
      const group = groups.get(groupName)
      return typeof group === 'number' ? [{ key, groupId: group }] : []
    })
    if (readable.length > 0) return readable
    throw [...groups.values()].find((group) => group instanceof AppError)!
  }

  async function findGroup(principal: Principal, name: string): Promise<number | AppError> {
    try {
      return (await access.getGroup(principal, name, 'R')).id
    } catch (error) {
      if (error instanceof AppError && (error.status === 403 || error.status === 404)) return error
      throw error
    }
  }

  return {
    async answer(principal, body, { parameters = {}, signal } = {}) {
      const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
      const query: DataQuery = { ...body, ...Object.fromEntries(given) }
      const question = toSeriesQuestion(query, clock.now().getTime())
      const plan = await planSeries(store, await readableKeys(principal, query), query)
      try {
        const answer = await engine.query({ ...question, ...plan }, signal === undefined ? {} : { signal })
        return { ...answer, stream: tellOfFailure(answer.stream) }
      } catch (error) {
        throw asAppError(error)
      }
    },
  }
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
