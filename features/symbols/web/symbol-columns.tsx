import type { ReactNode } from 'react'
import { type Column, formatNumber, GroupLink, links, Skeleton, Time } from '@headwater/web-kit'
import type { SymbolItem, SymbolKey } from '../contract/index.ts'
import { symbolText } from './symbol-text.ts'
import type { SymbolRow } from './symbols-client.ts'
import type { TableColumns } from './use-table-columns.ts'

/** A column that the list of symbols can have. */
export interface SymbolColumn {
  /** Id, for example `symbols.Code` or `lastDate`. */
  id: string
  /** Heading, also used in the column selection. */
  name: string
  /** Whether it is visible by default. */
  isUsual: boolean
}

/** Maximum number of keys with their own column by default. */
const usualKeys = 6

/** Returns the columns that a list can have, in their default order. */
export function offeredColumns(groupName: string | undefined, keys: readonly SymbolKey[]): SymbolColumn[] {
  const named = (kind: SymbolKey['kind']) => keys.filter((key) => key.kind === kind)
  const symbolKeys = named('symbol')
  const isSplit = groupName !== undefined && symbolKeys.length > 0 && symbolKeys.length <= usualKeys
  return [
    { id: 'symbol', name: 'Symbol', isUsual: !isSplit },
    ...symbolKeys.map(({ name }) => ({ id: `symbols.${name}`, name, isUsual: isSplit })),
    { id: 'groupName', name: 'Group', isUsual: groupName === undefined },
    ...named('metadata').map(({ name }) => ({ id: `metadata.${name}`, name, isUsual: false })),
    { id: 'columns', name: 'Columns', isUsual: true },
    { id: 'firstDate', name: 'First', isUsual: true },
    { id: 'lastDate', name: 'Last', isUsual: true },
    { id: 'pointCount', name: 'Points', isUsual: true },
  ]
}

/** Returns the ids of the visible columns, in order. */
export function visibleColumns(offered: readonly SymbolColumn[], { shown }: TableColumns): string[] {
  const chosen = shown?.filter((id) => offered.some((column) => column.id === id)) ?? []
  return chosen.length > 0 ? chosen : offered.filter(({ isUsual }) => isUsual).map(({ id }) => id)
}

/** Returns the table columns. The first one opens the preview. */
export function tableColumns(
  ids: readonly string[],
  offered: readonly SymbolColumn[],
  { widths }: TableColumns,
  open: (symbol: SymbolItem) => ReactNode,
): Column<SymbolRow>[] {
  return ids.map((id, index) => {
    const column = drawn(id, offered.find((each) => each.id === id)?.name ?? id)
    const width = widths[id]
    const sized = width === undefined ? column : { ...column, width }
    if (index > 0) return { ...sized, cell: whenLoaded(sized.cell) }
    return {
      ...sized,
      isName: true,
      cell: ({ symbol }) => (symbol === undefined ? <Skeleton width="60%" /> : open(symbol)),
    }
  })
}

/** Returns the text of a symbol in a column. */
export function cellText(id: string, symbol: SymbolItem): string {
  if (id === 'symbol') return symbolText(symbol.symbols)
  if (id === 'groupName') return symbol.groupName
  if (id === 'columns') return symbol.columns.map((column) => column.name).join(', ') || '—'
  const [, kind, name = ''] = /^(symbols|metadata)\.(.*)$/s.exec(id) ?? []
  const map = kind === 'metadata' ? symbol.metadata : symbol.symbols
  return Object.hasOwn(map, name) ? map[name]! : '—'
}

function drawn(id: string, name: string): Column<SymbolRow> {
  const text = ({ symbol }: SymbolRow) => (symbol === undefined ? '' : cellText(id, symbol))
  const shared = { id, header: name, text, cell: text }
  switch (id) {
    case 'symbol':
      return { ...shared, width: 'minmax(140px, 3fr)' }
    case 'groupName':
      return {
        ...shared,
        width: 'minmax(90px, 1fr)',
        sortable: true,
        priority: 2,
        cell: ({ symbol }) => (
          <GroupLink href={links.symbols(symbol?.groupName)}>{symbol?.groupName}</GroupLink>
        ),
      }
    case 'columns':
      return { ...shared, width: 'minmax(80px, 1.2fr)', quiet: true, priority: 4 }
    case 'firstDate':
    case 'lastDate':
      return {
        ...shared,
        text: ({ symbol }) => symbol?.[id]?.replace('T', ' ') ?? '',
        width: 92,
        align: 'end',
        sortable: true,
        quiet: true,
        priority: id === 'firstDate' ? 5 : 1,
        cell: ({ symbol }) => <Time value={symbol?.[id] ?? null} show="date" timeZone="UTC" />,
      }
    case 'pointCount':
      return {
        ...shared,
        text: ({ symbol, pointCount }) =>
          symbol?.formula ? 'formula' : pointCount === undefined ? '' : formatNumber(pointCount),
        width: 76,
        align: 'end',
        quiet: true,
        priority: 3,
        cell: ({ symbol, pointCount }) =>
          symbol?.formula ? (
            'formula'
          ) : pointCount === undefined ? (
            <Skeleton width={36} />
          ) : (
            formatNumber(pointCount)
          ),
      }
    default:
      return {
        ...shared,
        width: 'minmax(80px, 1fr)',
        sortable: true,
        ...(id.startsWith('metadata.') ? { quiet: true } : {}),
      }
  }
}

function whenLoaded(cell: Column<SymbolRow>['cell']): Column<SymbolRow>['cell'] {
  return (row, index) => (row.symbol === undefined ? <Skeleton width="60%" /> : cell(row, index))
}
