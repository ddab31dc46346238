import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listSymbolGroups, listSymbolKeys, listValueColumns } from '@headwater/symbols/contract'
import { call, type FormItems, MultiSelect } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { EntryList } from '../../editor/EntryList.tsx'
import { KeepRangeSwitch, RangeFields } from '../../editor/RangeFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import {
  searchColumn,
  searchFilter,
  searchTile,
  type SearchColumn,
  type SearchFilter,
} from './search-tile.ts'

/** Maximum number of names in a list. */
const offered = 500

/** The settings of a search. */
export default function SearchEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const { groupNames, filters, columns } = searchTile.parse(tile)
  const [groupText, setGroupText] = useState('')
  const groups = useQuery({
    queryKey: [listSymbolGroups.name, 'search', groupText],
    queryFn: ({ signal }) =>
      call(listSymbolGroups, { query: { query: groupText, size: offered } }, { signal }),
    placeholderData: (before) => before,
  })
  const keys = useNames('keys', groupNames, async (groupName, signal) => {
    const page = await call(listSymbolKeys, { body: { groupName, size: offered } }, { signal })
    return page.items.map(({ name }) => name)
  })
  const valueColumns = useNames('columns', groupNames, async (groupName, signal) => {
    const page = await call(listValueColumns, { query: { groupName } }, { signal })
    return page.items.map(({ name }) => name)
  })
  const freeKey = keys.find((key) => filters.every(({ filterKey }) => filterKey !== key))
  const freeColumn = valueColumns.find((name) => columns.every(({ columnId }) => columnId !== name))
  return (
    <EditorTabs
      label="Search settings"
      tabs={{
        Data: (
          <>
            <MultiSelect
              label="Groups"
              value={groupNames}
              placeholder="Groups to search"
              options={[
                ...new Set([...groupNames, ...(groups.data?.items ?? []).map((each) => each.groupName)]),
              ].map((name) => ({ value: name, label: name }))}
              onSearch={setGroupText}
              total={groups.data?.totalSize}
              onChange={(next) => onChange({ groupNames: next })}
            />
            <div>
              <p className={styles.heading}>Search fields</p>
              {filters.length === 0 ? (
                <p className={styles.quiet}>No search fields: a single field searches everything.</p>
              ) : null}
            </div>
            <EntryList
              kind="Field"
              schema={searchFilter}
              items={filterItems(keys)}
              entries={filters}
              newEntry={() => searchFilter.parse({ filterKey: freeKey ?? 'Code' })}
              addDisabled={groupNames.length === 0}
              onChange={(next, topic) => onChange({ filters: next }, topic)}
            />
            <RangeFields tile={tile} onChange={onChange} />
            <KeepRangeSwitch tile={tile} onChange={onChange} />
          </>
        ),
        Columns: (
          <>
            {columns.length === 0 ? (
              <p className={styles.quiet}>No columns selected: all are displayed.</p>
            ) : null}
            <EntryList
              kind="Column"
              schema={searchColumn}
              items={columnItems(valueColumns)}
              entries={columns}
              newEntry={() => searchColumn.parse({ columnId: freeColumn ?? 'Close' })}
              addDisabled={groupNames.length === 0}
              onChange={(next, topic) => onChange({ columns: next }, topic)}
            />
          </>
        ),
        Style: commonFields,
      }}
    />
  )
}

function filterItems(keys: readonly string[]): FormItems<SearchFilter> {
  return [
    {
      field: 'filterKey',
      label: 'Key',
      required: false,
      allowFree: true,
      choices: keys,
      // An entry needs a key.
      change: (filterKey) => (filterKey === '' ? {} : { filterKey }),
    },
    [
      { field: 'label', label: 'Label', maxLength: 100, placeholder: ({ filterKey }) => filterKey },
      { field: 'defaultValue', label: 'Default', maxLength: 200 },
    ],
  ]
}

function columnItems(names: readonly string[]): FormItems<SearchColumn> {
  return [
    {
      field: 'columnId',
      label: 'Column',
      required: false,
      allowFree: true,
      choices: names,
      change: (columnId) => (columnId === '' ? {} : { columnId }),
    },
    [
      { field: 'header', label: 'Heading', maxLength: 100, placeholder: ({ columnId }) => columnId },
      { field: 'columnWidth', label: 'Width' },
    ],
  ]
}

/** Returns the distinct names of the groups of a search. */
function useNames(
  what: string,
  groupNames: readonly string[],
  read: (groupName: string, signal: AbortSignal) => Promise<string[]>,
): string[] {
  const names = useQuery({
    queryKey: ['searchTile', what, groupNames],
    enabled: groupNames.length > 0,
    queryFn: async ({ signal }) =>
      (await Promise.all(groupNames.map((groupName) => read(groupName, signal)))).flat(),
  })
  return [...new Set(names.data ?? [])]
}
