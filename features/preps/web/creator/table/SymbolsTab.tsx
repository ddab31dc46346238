import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconAsterisk from '@tabler/icons-react/dist/esm/icons/IconAsterisk.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import {
  listSymbolGroups,
  listValueColumns,
  searchSymbols,
  type SymbolItem,
  type SymbolMap,
} from '@headwater/symbols/contract'
import {
  Button,
  call,
  type Column,
  Combobox,
  countOf,
  DataTable,
  EmptyState,
  GroupLink,
  intervals,
  links,
  NothingFound,
  routeKey,
  SearchField,
  type Sort,
  Time,
  toastError,
  useInfiniteList,
} from '@headwater/web-kit'
import { maxDataPrepSymbols } from '../../../contract/index.ts'
import {
  type BasketEntry,
  entryName,
  entryOfPattern,
  entryOfSymbol,
  groupColumnWidth,
  namedSymbols,
  symbolSignature,
  toBasketEntry,
  withoutSymbols,
} from '../basket.ts'
import type { DraftAction } from '../draft.ts'
import type { CreatorUrl } from '../use-creator-url.ts'
import { KeyFilters } from './KeyFilters.tsx'
import styles from './SymbolsTab.module.css'

const groupsSize = 200
/** Number of visible characters of a group name. */
export const visibleGroupLength = 24

/** Tab to search symbols and add them to the basket. */
export function SymbolsTab({
  url,
  basket,
  disabled,
  onChange,
  onPattern,
}: {
  url: CreatorUrl
  basket: readonly BasketEntry[]
  disabled: boolean
  onChange: (action: DraftAction) => void
  /** Adds a pattern to the basket and opens it. */
  onPattern: (entry: BasketEntry) => void
}) {
  const { groupName, filters, query: text, go } = url
  const [sort, setSort] = useState<Sort>()
  const list = useInfiniteList(
    searchSymbols,
    {
      query: {
        query: symbolQuery(text, groupName, filters),
        sortBy: sort === undefined ? '' : `${sort.column}=${sort.order}`,
      },
    },
    { intervalMs: intervals.listMs },
  )
  const { rows } = list
  const chosen = useMemo(() => namedSymbols(basket), [basket])
  const isFiltered = text !== '' || groupName !== undefined || Object.keys(filters).length > 0

  function choose(next: ReadonlySet<string>) {
    const loaded = new Map((rows ?? []).map((item) => [rowKey(item), item]))
    const added = [...next].filter((key) => !chosen.has(key)).flatMap((key) => loaded.get(key) ?? [])
    const removed = new Set([...loaded.keys()].filter((key) => chosen.has(key) && !next.has(key)))
    const capacity = maxDataPrepSymbols - basket.length + removed.size
    if (added.length > capacity) {
      toastError(new Error(`A data prep can have at most ${maxDataPrepSymbols} entries. Use patterns.`))
      return
    }
    onChange({
      type: 'basket',
      change: (present) => [
        ...withoutSymbols(present, removed),
        ...added.map((item) => toBasketEntry(entryOfSymbol(item))),
      ],
    })
  }
  async function addPattern() {
    try {
      const columns = await call(listValueColumns, { query: { groupName: groupName! } })
      const names = columns.items.map(({ name }) => name)
      onPattern(toBasketEntry(entryOfPattern(groupName!, filters, names)))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <>
      <div className={styles.filters} role="search" aria-label="Symbols">
        <div className={styles.group}>
          <GroupFilter value={groupName} onChange={(group) => go({ groupName: group, filters: {} })} />
        </div>
        <SearchField label="Search symbols" width={240} value={text} onChange={(query) => go({ query })} />
        {groupName === undefined ? null : (
          <KeyFilters groupName={groupName} filters={filters} onChange={(next) => go({ filters: next })} />
        )}
        {isFiltered ? (
          <Button variant="quiet" onClick={() => go({ query: '', groupName: undefined, filters: {} })}>
            Clear
          </Button>
        ) : null}
        {disabled ? null : (
          <Button
            icon={<IconAsterisk size={15} stroke={1.6} />}
            disabled={groupName === undefined}
            title={
              groupName === undefined
                ? 'Choose a group first'
                : 'All symbols that match the filters, including future ones'
            }
            onClick={() => void addPattern()}
          >
            Add as pattern
          </Button>
        )}
      </div>
      <DataTable
        {...list}
        label="Symbols"
        rowHeight={36}
        columns={columnsOf(rows ?? [])}
        rowKey={rowKey}
        {...(sort === undefined ? {} : { sort })}
        onSortChange={setSort}
        {...(disabled ? {} : { selected: chosen, onSelectedChange: choose })}
        empty={
          isFiltered ? (
            <NothingFound />
          ) : (
            <EmptyState
              icon={<IconDatabase size={20} stroke={1.6} />}
              title="Storage is empty"
              action={<Button href={links.lake('groups')}>Open data lake</Button>}
            >
              Upload a CSV file to a group first. The upload dialog asks which columns contain symbols, dates
              and values.
            </EmptyState>
          )
        }
      />
      <p className={styles.foot} aria-live="polite">
        {list.totalCount === undefined ? '' : `${countOf(list.totalCount, 'symbol')} found`}
        {disabled ? '' : ' · Select symbols to add'}
      </p>
    </>
  )
}

/** Returns the symbol search for a string, a group and values of keys. */
export function symbolQuery(text: string, groupName: string | undefined, filters: SymbolMap): string {
  const conditions = Object.entries(filters).map(([key, value]) => `symbols.${key}=${value}`)
  return [
    ...(text === '' ? [] : [text]),
    ...(groupName === undefined ? [] : [`groupName.keyword=${groupName}`]),
    ...conditions,
  ].join('&')
}

function GroupFilter({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (group: string | undefined) => void
}) {
  const [text, setText] = useState('')
  const input = { query: { query: text === value ? '' : text, size: groupsSize } }
  const groups = useQuery({
    queryKey: routeKey(listSymbolGroups, input),
    queryFn: ({ signal }) => call(listSymbolGroups, input, { signal }),
    placeholderData: (previous) => previous,
  })
  const names = groups.data?.items.map(({ groupName }) => groupName) ?? []
  const offered = value !== undefined && !names.includes(value) ? [value, ...names] : names
  return (
    <Combobox
      label="Group"
      hideLabel
      clearable
      placeholder="All groups"
      value={value ?? null}
      options={offered.map((name) => ({ value: name, label: name }))}
      onSearch={setText}
      total={groups.data?.totalSize}
      loading={groups.isFetching}
      onChange={(name) => onChange(name ?? undefined)}
    />
  )
}

function rowKey({ groupName, symbols }: SymbolItem): string {
  return symbolSignature(groupName, symbols)
}

function columnsOf(rows: readonly SymbolItem[]): Column<SymbolItem>[] {
  const names = ({ columns }: SymbolItem) => columns.map(({ name }) => name).join(', ') || '—'
  return [
    {
      id: 'groupName',
      header: 'Group',
      width: `minmax(106px, ${groupColumnWidth(rows.map(({ groupName }) => groupName.slice(0, visibleGroupLength)))}px)`,
      sortable: true,
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
    },
    {
      id: 'symbol',
      isName: true,
      header: 'Symbol',
      width: 'minmax(160px, 3fr)',
      text: entryName,
      cell: entryName,
    },
    {
      id: 'columns',
      header: 'Columns',
      width: 'minmax(80px, 1fr)',
      quiet: true,
      priority: 1,
      text: names,
      cell: names,
    },
    dateColumn('firstDate', 'First', 2),
    dateColumn('lastDate', 'Last', 3),
  ]
}

function dateColumn(id: 'firstDate' | 'lastDate', header: string, priority: number): Column<SymbolItem> {
  return {
    id,
    header,
    width: 88,
    align: 'end',
    sortable: true,
    quiet: true,
    priority,
    cell: (symbol) => <Time value={symbol[id] ?? null} show="date" timeZone="UTC" />,
  }
}
