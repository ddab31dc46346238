import { useState } from 'react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { searchFiles } from '@headwater/files/contract'
import { GroupPicker } from '@headwater/groups/web'
import type { FileReference } from '@headwater/tile-data/contract'
import { call, Combobox } from '@headwater/web-kit'

/** Maximum number of files of each extension in the list. */
const offeredFiles = 200

/** Selects a file in the lake by group and name. The user can also type other names. */
export function FileFields({
  value,
  extensions,
  onChange,
}: {
  value: FileReference
  /** Without the dot, for example `md`. */
  extensions: readonly string[]
  onChange: (value: FileReference) => void
}) {
  const { groupName, fileName } = value
  const [typed, setTyped] = useState('')
  const { names, total, loading } = useQueries({
    queries: extensions.map((extension) => {
      const query = {
        query: `name=${patternOf(typed, extension)}&groupName=${groupName}`,
        latest: true,
        size: offeredFiles,
        sortBy: 'name' as const,
      }
      return {
        queryKey: [searchFiles.name, 'offered', query],
        enabled: groupName !== '',
        queryFn: ({ signal }: { signal: AbortSignal }) => call(searchFiles, { query }, { signal }),
        placeholderData: keepPreviousData,
      }
    }),
    combine: (results) => ({
      names: results.flatMap(({ data }) => data?.items.map((file) => file.fileName) ?? []),
      total: results.reduce((sum, { data }) => sum + (data?.totalSize ?? 0), 0),
      loading: results.some(({ isFetching }) => isFetching),
    }),
  })
  return (
    <>
      <GroupPicker
        value={groupName === '' ? null : groupName}
        writeOnly={false}
        onChange={(name) => onChange({ groupName: name ?? '', fileName: '' })}
      />
      <Combobox
        label="File"
        value={fileName === '' ? null : fileName}
        disabled={groupName === ''}
        allowFree
        options={[...new Set(names)].sort().map((name) => ({ value: name, label: name }))}
        onSearch={setTyped}
        total={total}
        loading={loading}
        onChange={(name) => onChange({ groupName, fileName: name ?? '' })}
      />
    </>
  )
}

/** Returns a pattern for the names with an extension that contain a typed text, which can end with a part of an extension. */
function patternOf(typed: string, extension: string): string {
  const text = typed
    .replaceAll(/[=&*]/g, ' ')
    .trim()
    .replace(/\.[a-z]*$/i, '')
  return `*${text}*.${extension}`.replace('**', '*')
}
