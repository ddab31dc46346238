import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, call, intervals, pageSizes, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  getDataPrepByName,
  getPrepSchedule,
  listDataPrepVersions,
  removePrepSchedule,
  searchDataPreps,
  setPrepSchedule,
  updateDataPrep,
  type DataPrepDefinition,
  type DataPrepDetails,
  type DataPrepSummary,
  type PrepScheduleInput,
} from '../contract/index.ts'

/** Maximum number of listed versions. */

/** A data prep by group and name; `version` is a number or `latest`. */
export interface PrepAddress {
  /** Name of the group. */
  groupName: string
  /** Name of the data prep. */
  name: string
  /** Number of the version, or `latest`. */
  version: string
}

/** Returns the query of a data prep. It is not refetched automatically, so that the data prep does not change while the user edits it. */
export function prepQuery(address: PrepAddress) {
  const { groupName, name, version } = address
  const isLatest = version.toLowerCase() === 'latest'
  return queryOptions({
    queryKey: routeKey(getDataPrepByName, { query: { groupName, name, version } }),
    queryFn({ signal }): Promise<DataPrepDetails> {
      const query = { groupName, name, version, latest: isLatest }
      return withSymbols((view) => call(getDataPrepByName, { query: { ...query, ...view } }, { signal }))
    },
    refetchOnReconnect: false,
  })
}

/** Reads a data prep with metadata and resolved patterns, or without them if resolving takes too long. */
async function withSymbols(
  read: (view: { withMetadata?: boolean; resolvePattern?: boolean }) => Promise<DataPrepDetails>,
): Promise<DataPrepDetails> {
  try {
    return await read({ withMetadata: true, resolvePattern: true })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'lookupTooSlow')) throw error
    return read({})
  }
}

/** Returns the query of the newest version of a favourite data prep; null if it was deleted. */
export function favouriteQuery(id: string) {
  const input = { params: { id }, query: { size: pageSizes.details } }
  return queryOptions({
    queryKey: routeKey(listDataPrepVersions, input),
    async queryFn({ signal }) {
      try {
        return (await call(listDataPrepVersions, input, { signal })).items[0] ?? null
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: refreshEvery(intervals.favouritesMs),
  })
}

/** Returns the calls that change data preps. Each refreshes all lists. */
export function usePrepCalls() {
  const client = useQueryClient()
  return {
    async create(definition: DataPrepDefinition): Promise<DataPrepDetails> {
      return shared(client, await call(createDataPrep, { body: { dataPrep: definition } as never }))
    },
    async update(id: string, definition: DataPrepDefinition & { version: number }): Promise<DataPrepDetails> {
      const input = { params: { id }, body: { dataPrep: definition } as never }
      return shared(client, await call(updateDataPrep, input, { keep: true }))
    },
    /** Returns the newest version. */
    async newest(id: string): Promise<DataPrepSummary> {
      const input = { params: { id }, query: { size: pageSizes.details } }
      return (await call(listDataPrepVersions, input)).items[0]!
    },
    read: (id: string): Promise<DataPrepDetails> =>
      withSymbols((query) => call(getDataPrep, { params: { id }, query })),
    async setSchedule(id: string, schedule: PrepScheduleInput): Promise<void> {
      await call(setPrepSchedule, { params: { id }, body: schedule }, { keep: true })
      await refresh(client)
    },
    async removeSchedule(id: string): Promise<void> {
      await call(removePrepSchedule, { params: { id } }, { keep: true })
      await refresh(client)
    },
    async remove(id: string): Promise<void> {
      await call(deleteDataPrep, { params: { id } }, { keep: true })
      client.removeQueries({ queryKey: routeKey(getDataPrepByName) })
      await refresh(client)
    },
  }
}

/** Puts a saved data prep into the query cache of its page. */
function shared(client: QueryClient, saved: DataPrepDetails): DataPrepDetails {
  const address = { groupName: saved.outputGroup, name: saved.name, version: 'latest' }
  client.setQueryData(prepQuery(address).queryKey, saved)
  void refresh(client)
  return saved
}

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(
    [searchDataPreps, listDataPrepVersions, getPrepSchedule].map((route) =>
      client.invalidateQueries({ queryKey: routeKey(route) }),
    ),
  )
}
