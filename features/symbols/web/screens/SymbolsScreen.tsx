import { type ReactNode, useEffect, useState } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  ApiError,
  Button,
  EmptyState,
  formatNumber,
  links,
  NothingFound,
  Page,
  PageHeader,
  SearchField,
  Toolbar,
} from '@headwater/web-kit'
import type { SymbolItem, SymbolMap } from '../../contract/index.ts'
import { ColumnsPopover } from '../components/ColumnsPopover.tsx'
import { FilterChips, FiltersPopover } from '../components/FiltersPopover.tsx'
import { SymbolPanel } from '../components/SymbolPanel.tsx'
import { SymbolsSelection } from '../components/SymbolsSelection.tsx'
import { SymbolsTable } from '../components/SymbolsTable.tsx'
import { SymbolTree } from '../components/SymbolTree.tsx'
import { UnreachableGroup } from '../components/UnreachableGroup.tsx'
import { offeredColumns, visibleColumns } from '../symbol-columns.tsx'
import { useSymbolKeys } from '../symbols-client.ts'
import {
  addressOf,
  newSymbolHref,
  useStorageState,
  type StorageState,
  type SymbolAddress,
  type SymbolSearch,
} from '../use-storage-state.ts'
import { useTableColumns } from '../use-table-columns.ts'
import styles from './SymbolsScreen.module.css'

/** Storage page: symbols by group and key, with a preview of their values. */
export default function SymbolsScreen() {
  const state = useStorageState()
  const { search, opened, open } = state
  const can = useCan()
  const [ticked, setTicked] = useState<SymbolAddress>()
  const like = ticked ?? opened
  const lake = can('Groups', 'R', 'Lake') ? (
    <Button
      href={search.groupName === undefined ? links.lake('groups') : links.group(search.groupName)}
      icon={<IconDatabase size={16} stroke={1.6} />}
    >
      {search.groupName === undefined ? 'Data lake' : 'Files'}
    </Button>
  ) : undefined
  const create = can('Data', 'RW', 'Storage') ? (
    <Button
      variant="primary"
      href={like === undefined ? links.newSymbol(search.groupName) : newSymbolHref(like)}
      icon={<IconPlus size={16} stroke={1.6} />}
    >
      New symbol
    </Button>
  ) : undefined
  return (
    <div className={styles.screen} data-opened={opened !== undefined || undefined}>
      <Page
        asideLabel="Preview"
        aside={
          opened === undefined ? undefined : <SymbolPanel address={opened} onClose={() => open(undefined)} />
        }
      >
        <PageHeader
          actions={
            <>
              {lake}
              {create}
            </>
          }
        />
        <div className={styles.columns}>
          <div className={styles.groups}>
            <SymbolTree search={search} />
          </div>
          <SymbolsList key={search.groupName ?? ''} state={state} upload={lake} onTick={setTicked} />
        </div>
      </Page>
    </div>
  )
}

/** Returns whether the user cannot read the group. While it is read again, the last result counts, so that the page does not change. */
function useIsUnreachable({ error, isPending }: { error: unknown; isPending: boolean }): boolean {
  const [last, setLast] = useState(false)
  const isUnreachable = isPending ? last : error instanceof ApiError && [403, 404].includes(error.status)
  if (isUnreachable !== last) setLast(isUnreachable)
  return isUnreachable
}

function SymbolsList({
  state,
  upload,
  onTick,
}: {
  state: StorageState
  upload: ReactNode
  /** Called with the first selected symbol. */
  onTick: (symbol: SymbolAddress | undefined) => void
}) {
  const { search, opened, change, open } = state
  const changeFilters = (next: (filters: SymbolMap) => SymbolMap) =>
    change(({ filters }) => ({ filters: next(filters) }))
  const keys = useSymbolKeys(search.groupName)
  const { columns, change: changeColumns } = useTableColumns(search.groupName)
  const [chosen, setChosen] = useState<ReadonlyMap<string, SymbolItem>>(new Map())
  const [first] = chosen.values()
  useEffect(() => {
    onTick(first && addressOf(first))
    return () => onTick(undefined)
  }, [first, onTick])
  const known = keys.data?.items ?? []
  const offered = offeredColumns(search.groupName, known)
  const isUnreachable = useIsUnreachable(keys)
  const keyNames = known.filter(({ kind }) => kind === 'symbol').map(({ name }) => name)
  const resize = (id: string, widthPx: number) =>
    changeColumns({ widths: { ...columns.widths, [id]: widthPx } })
  const isReady = search.groupName === undefined || keys.data !== undefined || keys.error !== null
  return (
    <div className={styles.symbols}>
      {isUnreachable ? (
        <>
          <h2 className={styles.title}>{search.groupName}</h2>
          <div className={styles.unreachable}>
            <UnreachableGroup groupName={search.groupName!} />
          </div>
        </>
      ) : (
        <SymbolsTable
          search={search}
          keys={known}
          columns={columns}
          onResize={resize}
          opened={opened}
          onOpen={open}
          onSort={(sort) => change({ sort })}
          chosen={chosen}
          onChoose={setChosen}
          empty={<NoSymbols search={search} upload={upload} />}
          isReady={isReady}
          {...(keys.error === null ? {} : { error: keys.error })}
        >
          {({ total, isAtLeast }) => (
            <>
              <Toolbar>
                <h2 className={styles.title}>
                  {titleOf(search)}
                  {total === undefined ? null : (
                    <span className={styles.total} aria-live="polite">
                      {isAtLeast ? `${formatNumber(total - 1)}+` : formatNumber(total)}
                    </span>
                  )}
                </h2>
                <div className={styles.tools}>
                  {search.fileId === undefined ? (
                    <SearchField
                      label="Search symbols"
                      placeholder="text, symbols.Code=BR*, metadata.Unit=USD"
                      value={search.text}
                      onChange={(text) => change({ text })}
                    />
                  ) : (
                    <Button
                      icon={<IconX size={16} stroke={1.6} />}
                      onClick={() => change({ fileId: undefined })}
                    >
                      All symbols
                    </Button>
                  )}
                  {search.groupName === undefined || search.fileId !== undefined ? null : (
                    <FiltersPopover
                      groupName={search.groupName}
                      keyNames={keyNames.filter((name) => !Object.hasOwn(search.branch, name))}
                      filters={search.filters}
                      onChange={changeFilters}
                    />
                  )}
                  <ColumnsPopover
                    offered={offered}
                    visible={visibleColumns(offered, columns)}
                    onChange={(ids) => changeColumns({ shown: ids })}
                    arrange={{
                      widths: columns.widths,
                      onResize: resize,
                      onReset: () => changeColumns({ shown: undefined, widths: {} }),
                    }}
                  />
                </div>
              </Toolbar>
              <FilterChips filters={search.filters} onChange={changeFilters} />
            </>
          )}
        </SymbolsTable>
      )}
      <SymbolsSelection symbols={[...chosen.values()]} onClear={() => setChosen(new Map())} />
    </div>
  )
}

function NoSymbols({ search, upload }: { search: SymbolSearch; upload: ReactNode }) {
  const isNarrowed =
    search.text !== '' ||
    search.fileId !== undefined ||
    Object.keys({ ...search.branch, ...search.filters }).length > 0
  if (isNarrowed) return <NothingFound />
  return (
    <EmptyState icon={<IconChartLine size={28} stroke={1.4} />} title="No symbols yet" action={upload}>
      Upload a CSV file. The upload dialog asks which columns contain symbols, dates and values.
    </EmptyState>
  )
}

function titleOf({ groupName, branch, fileId }: SymbolSearch): string {
  if (fileId !== undefined) return 'Symbols of a file'
  const values = Object.entries(branch).map(([key, value]) => (value === '' ? `no ${key}` : value))
  return [groupName ?? 'All groups', ...values].join(' · ')
}
