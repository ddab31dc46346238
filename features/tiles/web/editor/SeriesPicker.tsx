import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import { paramSetsOf, lastGroupOf, symbolName, symbolSignature } from '@headwater/tile-data/core'
import { useInsightData } from '@headwater/tile-data/web'
import {
  Button,
  call,
  Checkbox,
  Dialog,
  EmptyState,
  ErrorState,
  formatTime,
  links,
  NothingFound,
  SearchField,
  Skeleton,
  TextLink,
} from '@headwater/web-kit'
import { listSymbolGroups, searchSymbols, type SymbolItem } from '@headwater/symbols/contract'
import styles from './SeriesPicker.module.css'

/** A selected series: one column of one symbol. */
export interface PickedSeries {
  /** Group of the symbol. */
  groupName: string
  /** Keys of the symbol. */
  symbols: Record<string, string>
  /** Value column. */
  column: string
}

type ValueTypes = 'numbers' | 'all'

const pageSize = 100
const groupsSize = 500
/** Maximum number of selected series. */
const maxPicked = 200

/** The dialog that selects series: a group, its symbols and their columns. */
export function SeriesPicker({
  open,
  onClose,
  onPick,
  groupName,
  combinable = false,
  valueTypes = 'numbers',
}: {
  open: boolean
  onClose: () => void
  onPick: (series: PickedSeries[], combined: boolean) => void
  /**
   * The initial group. Default: the group of the last series of the insight, otherwise of its parameters, of the URL or of
   * the insight. If this group has no symbols, none is selected.
   */
  groupName?: string | undefined
  /** Whether several symbols can become one series. Default false. */
  combinable?: boolean
  /** Available columns: `numbers` or `all`. Default `numbers`. */
  valueTypes?: ValueTypes
}) {
  return open ? (
    <OpenPicker
      onClose={onClose}
      onPick={onPick}
      first={groupName}
      combinable={combinable}
      valueTypes={valueTypes}
    />
  ) : null
}

function OpenPicker({
  onClose,
  onPick,
  first,
  combinable,
  valueTypes,
}: {
  onClose: () => void
  onPick: (series: PickedSeries[], combined: boolean) => void
  first: string | undefined
  combinable: boolean
  valueTypes: ValueTypes
}) {
  const [groupText, setGroupText] = useState('')
  const [chosenGroup, setChosenGroup] = useState<string>()
  const [text, setText] = useState('')
  const [picked, setPicked] = useState<ReadonlyMap<string, PickedSeries>>(new Map())
  const [combined, setCombined] = useState(false)
  const groups = useQuery({
    queryKey: [listSymbolGroups.name, groupText],
    queryFn: ({ signal }) =>
      call(listSymbolGroups, { query: { query: groupText, size: groupsSize } }, { signal }),
    placeholderData: (previous) => previous,
  })
  const groupNames = groups.data?.items.map(({ groupName }) => groupName) ?? []
  const { content, name: insight } = useInsightData()
  const [search] = useSearchParams()
  const begin =
    first ??
    lastGroupOf(content) ??
    paramSetsOf(content).find((set) => set.groupName !== '')?.groupName ??
    search.get('groupName') ??
    insight?.groupName
  const isFirstOffered = begin === undefined || groupText !== ''
  const groupName =
    chosenGroup ?? groupNames.find((name) => name === begin) ?? (isFirstOffered ? groupNames[0] : undefined)

  function toggle(series: PickedSeries) {
    const next = new Map(picked)
    const key = keyOf(series)
    if (!next.delete(key) && next.size < maxPicked) next.set(key, series)
    setPicked(next)
  }

  /** Adds a series and the selected ones. */
  function pick(series: PickedSeries) {
    if (picked.has(keyOf(series)) || picked.size < maxPicked) add(new Map(picked).set(keyOf(series), series))
  }
  function add(all: ReadonlyMap<string, PickedSeries>) {
    onPick([...all.values()], isCombinable(all) && combined)
  }
  function isCombinable(all: ReadonlyMap<string, PickedSeries>): boolean {
    const [first, ...others] = all.values()
    return (
      combinable &&
      others.length > 0 &&
      others.every(({ column, groupName: group }) => column === first?.column && group === first.groupName)
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add series"
      width={860}
      actions={
        <>
          <span className={styles.count}>
            {picked.size === 0
              ? 'Double-click a series to add it'
              : `${picked.size} series selected${picked.size === maxPicked ? ' (maximum)' : ''}`}
          </span>
          {isCombinable(picked) ? (
            <Checkbox label="Combine into one series" checked={combined} onChange={setCombined} />
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={picked.size === 0} onClick={() => add(picked)}>
            Add series
          </Button>
        </>
      }
    >
      <div className={styles.panes}>
        <div className={styles.groups}>
          <SearchField
            label="Search groups"
            placeholder="Group"
            width="100%"
            value={groupText}
            onChange={setGroupText}
          />
          {groups.error ? (
            <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />
          ) : groups.data === undefined ? (
            <Skeleton lines={6} />
          ) : groupNames.length === 0 && groupText === '' ? (
            <EmptyState icon={<IconDatabase size={20} stroke={1.6} />} title="Storage is empty">
              Upload an NCSV file to a group in the <TextLink href={links.lake()}>data lake</TextLink> first.
            </EmptyState>
          ) : groupNames.length === 0 ? (
            <NothingFound />
          ) : (
            <ul className={styles.list} aria-label="Groups with symbols">
              {groups.data.items.map((group) => (
                <li key={group.groupName}>
                  <button
                    type="button"
                    className={styles.group}
                    aria-pressed={group.groupName === groupName}
                    title={group.groupName}
                    onClick={() => setChosenGroup(group.groupName)}
                  >
                    <span>{group.groupName}</span>
                    <small>{group.symbolCount.toLocaleString('en-US')}</small>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div className={styles.symbols}>
          <SearchField
            label="Search symbols"
            placeholder="Symbol"
            width="100%"
            value={text}
            onChange={setText}
          />
          {groupName === undefined ? (
            groupNames.length > 0 ? (
              <p className={styles.none}>Choose a group to see its symbols.</p>
            ) : null
          ) : (
            <SymbolList
              groupName={groupName}
              text={text}
              valueTypes={valueTypes}
              picked={picked}
              onToggle={toggle}
              onPick={pick}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}

function SymbolList({
  groupName,
  text,
  valueTypes,
  picked,
  onToggle,
  onPick,
}: {
  groupName: string
  text: string
  valueTypes: ValueTypes
  picked: ReadonlyMap<string, PickedSeries>
  onToggle: (series: PickedSeries) => void
  onPick: (series: PickedSeries) => void
}) {
  const query = `${text === '' ? '' : `*${text}*&`}groupName.keyword=${groupName}`
  const symbols = useInfiniteQuery({
    queryKey: [searchSymbols.name, 'picker', query],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(searchSymbols, { query: { query, size: pageSize, from: pageParam } }, { signal }),
    getNextPageParam: (last) => {
      const next = last.from + last.items.length
      return last.items.length > 0 && next < last.totalSize ? next : undefined
    },
  })
  const items = useMemo(() => symbols.data?.pages.flatMap((page) => page.items), [symbols.data])
  if (symbols.error) return <ErrorState error={symbols.error} onRetry={() => void symbols.refetch()} />
  if (items === undefined) return <Skeleton lines={8} />
  if (items.length === 0)
    return text === '' ? <p className={styles.none}>This group has no symbols.</p> : <NothingFound />
  return (
    <ul className={styles.list} aria-label={`Symbols of ${groupName}`}>
      {items.map((item) => (
        <SymbolRow
          key={JSON.stringify(item.symbols)}
          item={item}
          valueTypes={valueTypes}
          picked={picked}
          onToggle={onToggle}
          onPick={onPick}
        />
      ))}
      {symbols.hasNextPage ? (
        <li>
          <Button
            variant="quiet"
            busy={symbols.isFetchingNextPage}
            onClick={() => void symbols.fetchNextPage()}
          >
            Show more symbols
          </Button>
        </li>
      ) : null}
    </ul>
  )
}

function SymbolRow({
  item,
  valueTypes,
  picked,
  onToggle,
  onPick,
}: {
  item: SymbolItem
  valueTypes: ValueTypes
  picked: ReadonlyMap<string, PickedSeries>
  onToggle: (series: PickedSeries) => void
  onPick: (series: PickedSeries) => void
}) {
  const { groupName, symbols } = item
  const keys = Object.keys(symbols).join(', ')
  const numbers = item.columns.filter(({ type }) => type === 'double' || type === 'integer')
  const offered = valueTypes === 'all' || numbers.length === 0 ? item.columns : numbers
  // A click beside the buttons selects the first column. Keyboard users use the buttons.
  const onRow = (act: (series: PickedSeries) => void) => (event: MouseEvent) => {
    const [first] = offered
    if (first === undefined || (event.target as Element).closest('button') !== null) return
    act({ groupName, symbols, column: first.name })
  }
  return (
    <li className={styles.symbol} onClick={onRow(onToggle)} onDoubleClick={onRow(onPick)}>
      <span className={styles.name} title={`${keys}: ${symbolName(symbols)}`}>
        {symbolName(symbols)}
        <small>{datesOf(item)}</small>
      </span>
      <span className={styles.columns}>
        {offered.length === 0 ? <small>no data</small> : null}
        {offered.map(({ name: column }) => {
          const series = { groupName, symbols, column }
          const active = picked.has(keyOf(series))
          return (
            <button
              key={column}
              type="button"
              className={styles.column}
              aria-pressed={active}
              aria-label={`${symbolName(symbols)}, ${column}`}
              onClick={() => onToggle(series)}
              onDoubleClick={() => onPick(series)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Enter adds the series; the space bar selects it.
                event.preventDefault()
                onPick(series)
              }}
            >
              {column}
            </button>
          )
        })}
      </span>
    </li>
  )
}

function datesOf({ firstDate, lastDate }: SymbolItem): string {
  if (firstDate === undefined || lastDate === undefined) return ''
  const day = (text: string) => formatTime(text, 'UTC', 'date', new Date(0))
  return `${day(firstDate)} to ${day(lastDate)}`
}

function keyOf({ groupName, symbols, column }: PickedSeries): string {
  return `${symbolSignature(groupName, symbols)} ${column}`
}
