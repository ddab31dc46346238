import { getFile } from '@headwater/files/contract'
import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { ApiError, callRaw, intervals, refreshEvery, reportError } from '@headwater/web-kit'
import { findLakeFile } from './find-lake-file.ts'
import type { LoadedResult } from '../../core/series/loaded-result.ts'
import type { TileSeries } from './use-results.ts'
import { maxTableRows } from '../../core/series/row-limits.ts'
import { loadedTable, readTable, readTableText } from '../../core/sources/read-table.ts'
import { isNamed, type FileAddress } from '../../core/sources/tile-source.ts'

/** A file in the lake as a table. */
export interface FileTable {
  /** Id of the version. */
  fid: string
  /** The parsed table. */
  loaded: LoadedResult
}

/**
 * Returns the files that tiles have loaded as tables, without loading any. It reads the cache without observing the queries, because each
 * observer would replace the query function.
 */
export function useLoadedFiles(
  files: readonly FileAddress[],
): (file: FileAddress) => LoadedResult | undefined {
  const client = useQueryClient()
  const loadedOf = (file: FileAddress) => client.getQueryData<FileTable>(tableKey(file, maxTableRows))
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  useSyncExternalStore(subscribe, () => files.map((file) => loadedOf(file)?.fid ?? '').join(' '))
  return (file) => loadedOf(file)?.loaded
}

function tableKey(file: FileAddress | undefined, limit: number): readonly unknown[] {
  return ['fileTable', file, limit === Infinity]
}

/** Loads the newest version of a file as a table, and reads it again only after a new version. */
export function useFileTable(
  file: FileAddress | undefined,
  options: { enabled: boolean; watched: boolean; all?: boolean },
): TileSeries {
  const client = useQueryClient()
  const limit = options.all ? Infinity : maxTableRows
  const key = tableKey(file, limit)
  const query = useQuery({
    queryKey: key,
    enabled: options.enabled && file !== undefined && isNamed(file),
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<FileTable> => {
      const fid = file!.fid ?? (await findLakeFile(file!, signal)).fid
      const cached = client.getQueryData<FileTable>(key)
      if (cached?.fid === fid) return cached
      return { fid, loaded: loadedTable(await readTable(await contentOf(fid, signal), { limit, signal })) }
    },
    refetchInterval: options.watched ? refreshEvery(intervals.listMs) : false,
  })
  const { data, error } = query
  const results = useMemo(() => data && [data.loaded], [data])
  return {
    results: error === null ? results : undefined,
    error,
    retry: () => void query.refetch(),
    refreshedAt: query.dataUpdatedAt,
    forbiddenGroups: [],
    drawing: undefined,
    loadRows: async () => results ?? [],
  }
}

/** Parses a typed table; no table if `text` is undefined. */
export function useTextTable(text: string | undefined): TileSeries {
  return useMemo(() => {
    const at = {
      retry: () => undefined,
      refreshedAt: 0,
      forbiddenGroups: [],
      drawing: undefined,
      loadRows: async () => [],
    }
    if (text === undefined) return { ...at, results: undefined, error: null }
    try {
      const results = [loadedTable(readTableText(text))]
      return { ...at, results, error: null, loadRows: async () => results }
    } catch (error) {
      return { ...at, results: undefined, error: error as Error }
    }
  }, [text])
}

/** Returns the content of a file from its Location header. */
async function contentOf(fid: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const location = (await callRaw(getFile, { params: { fid } }, { signal })).headers.get('Location')
  if (location === null) {
    reportError(new Error(`The response for file ${fid} has no Location header`))
    throw new ApiError({ status: 500, code: 'noLocation', message: 'Internal server error' })
  }
  const { pathname, search } = new URL(location, window.location.href)
  const response = await fetch(pathname + search, { signal, credentials: 'omit' })
  if (!response.ok)
    throw new ApiError({
      status: response.status,
      code: 'noContent',
      message: 'The content of the file could not be read.',
    })
  return response.body ?? new Blob().stream()
}
