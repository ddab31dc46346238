import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listSymbolGroups, listSymbolKeys, listValueColumns } from '@headwater/symbols/contract'
import { call, Combobox, MultiSelect, NumberField, Tabs, TextField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import { EntryList } from '../../components/EntryList.tsx'
import { KeepRangeSwitch, RangeFields } from '../../components/RangeFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { columnWidthBounds, searchColumnWidth, searchTile } from './search-tile.ts'

const tabs = ['Data', 'Columns', 'Style'].map((name) => ({ value: name, label: name }))
/** How many names are offered at once. */
const offered = 500

/** The settings of a search. */
export default function SearchEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const { groupNames, filters, columns } = searchTile.parse(tile)
  const [tab, setTab] = useState('Data')
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
    <>
      <Tabs label="Search settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <MultiSelect
              label="Groups"
              value={groupNames}
              placeholder="Groups to search"
              options={[
                ...new Set([...groupNames, ...(groups.data?.items ?? []).map((each) => each.groupName)]),
              ].map((name) => ({ value: name, label: name }))}
              onSearch={setGroupText}
              onChange={(next) => onChange({ groupNames: next })}
            />
            <div>
              <p className={styles.heading}>Fields to search with</p>
              {filters.length === 0 ? (
                <p className={styles.quiet}>No filters: one field searches everything.</p>
              ) : null}
            </div>
            <EntryList
              kind="Field"
              entries={filters}
              newEntry={() => ({ filterKey: freeKey ?? 'Code', label: '', defaultValue: '' })}
              addDisabled={groupNames.length === 0}
              onChange={(next, topic) => onChange({ filters: next }, topic)}
            >
              {(filter, set) => (
                <>
                  <Combobox
                    label="Key"
                    value={filter.filterKey}
                    allowFree
                    options={keys.map((key) => ({ value: key, label: key }))}
                    onChange={(key) => {
                      if (key !== null && key !== '') set({ filterKey: key })
                    }}
                  />
                  <div className={styles.pair}>
                    <TextField
                      label="Label"
                      value={filter.label}
                      maxLength={100}
                      placeholder={filter.filterKey}
                      onChange={(label) => set({ label })}
                    />
                    <TextField
                      label="Default"
                      value={filter.defaultValue}
                      maxLength={200}
                      onChange={(defaultValue) => set({ defaultValue })}
                    />
                  </div>
                </>
              )}
            </EntryList>
            <RangeFields tile={tile} onChange={onChange} />
            <KeepRangeSwitch tile={tile} onChange={onChange} />
          </>
        ) : null}
        {tab === 'Columns' ? (
          <>
            {columns.length === 0 ? (
              <p className={styles.quiet}>None named: all columns of the symbol are shown.</p>
            ) : null}
            <EntryList
              kind="Column"
              entries={columns}
              newEntry={() => ({
                columnId: freeColumn ?? 'Close',
                header: '',
                columnWidth: searchColumnWidth,
              })}
              addDisabled={groupNames.length === 0}
              onChange={(next, topic) => onChange({ columns: next }, topic)}
            >
              {(column, set) => (
                <>
                  <Combobox
                    label="Values"
                    value={column.columnId}
                    allowFree
                    options={valueColumns.map((name) => ({ value: name, label: name }))}
                    onChange={(name) => {
                      if (name !== null && name !== '') set({ columnId: name })
                    }}
                  />
                  <div className={styles.pair}>
                    <TextField
                      label="Heading"
                      value={column.header}
                      maxLength={100}
                      placeholder={column.columnId}
                      onChange={(header) => set({ header })}
                    />
                    <NumberField
                      label="Width"
                      value={column.columnWidth}
                      min={columnWidthBounds.least}
                      max={columnWidthBounds.most}
                      onChange={(width) =>
                        set({
                          columnWidth: Math.min(
                            columnWidthBounds.most,
                            Math.max(columnWidthBounds.least, Math.round(width ?? searchColumnWidth)),
                          ),
                        })
                      }
                    />
                  </div>
                </>
              )}
            </EntryList>
          </>
        ) : null}
        {tab === 'Style' ? commonFields : null}
      </div>
    </>
  )
}

/** Names that the groups of a search know, each once. */
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
