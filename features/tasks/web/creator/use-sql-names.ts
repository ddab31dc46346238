import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { SqlNames } from '@headwater/editors/web'
import { downloadFile } from '@headwater/files/contract'
import { callRaw } from '@headwater/web-kit'
import { columnsInBeginning, fileIdsOf, sqlNamesOf } from './sql-names.ts'
import type { TaskDraft } from './task-draft.ts'

/** Maximum number of bytes that are read from a file to find its columns. */
const beginningBytes = 64 * 1024

/** Returns the names that the SELECT of a task can use; undefined for other kinds of tasks. */
export function useSqlNames({ definitionName, ownParams }: TaskDraft): SqlNames | undefined {
  const isSql = definitionName === 'sql-query'
  const ids = isSql ? [...new Set(fileIdsOf(ownParams))] : []
  const columns = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['sqlColumns', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => columnsOfFile(id, signal),
      staleTime: Infinity,
      // Without columns, only their completion is missing. The run reports the reason.
      retry: false,
      throwOnError: false,
    })),
    combine: (results) => JSON.stringify(results.map(({ data = [] }) => data)),
  })
  // Preserves the identity of equal objects, because the editor reloads its language for each new object.
  const key = JSON.stringify([ids, columns, isSql ? ownParams : []])
  return useMemo(() => {
    const [fileIds, lists, params] = JSON.parse(key) as [string[], string, TaskDraft['ownParams']]
    const known = JSON.parse(lists) as string[][]
    return isSql ? sqlNamesOf(params, (id) => known[fileIds.indexOf(id)] ?? []) : undefined
  }, [key, isSql])
}

async function columnsOfFile(id: string, signal: AbortSignal): Promise<string[]> {
  const response = await callRaw(downloadFile, { params: { fid: id } }, { signal })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; bytes < beginningBytes && !text.includes('\n');) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return columnsInBeginning(text)
}
