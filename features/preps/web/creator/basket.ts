import type { SymbolItem, SymbolMap } from '@headwater/symbols/contract'
import {
  fillTypesWithAmount,
  newDataPrepSymbol,
  type DataPrepDetails,
  type DataPrepSymbol,
} from '../../contract/index.ts'

/** An entry of the basket in the editor. */
export interface BasketEntry {
  /** Unique key, also among entries of the same symbol. */
  key: string
  /** The entry. */
  entry: DataPrepSymbol
  /** Number of matching symbols when the data prep was loaded; absent for changed entries. */
  symbolCount?: number
}

let lastKey = 0

/** Returns a basket entry with a new key. */
export function toBasketEntry(entry: DataPrepSymbol): BasketEntry {
  return { key: String(++lastKey), entry }
}

/** Returns the basket of a loaded data prep. */
export function basketOf({ symbols, resolved = [] }: Pick<DataPrepDetails, 'symbols' | 'resolved'>) {
  const counts = new Map(resolved.map(({ index, totalSize }) => [index, totalSize]))
  return symbols.map((entry, index) => {
    const symbolCount = counts.get(index)
    return { ...toBasketEntry(entry), ...(symbolCount === undefined ? {} : { symbolCount }) }
  })
}

/** Returns an entry for one symbol with all its columns. */
export function entryOfSymbol({
  groupName,
  symbols,
  metadata,
}: Pick<SymbolItem, 'groupName' | 'symbols' | 'metadata'>) {
  return newDataPrepSymbol({ groupName, symbols, metadata })
}

/** Returns an entry for every symbol of a group with these values; `*` matches any text. */
export function entryOfPattern(groupName: string, symbols: SymbolMap, columns: string[]): DataPrepSymbol {
  return newDataPrepSymbol({ groupName, symbols, pattern: true, valueColumnNames: columns })
}

/** Returns a string that identifies a symbol of a group. */
export function symbolSignature(groupName: string | null, symbols: Record<string, unknown>): string {
  return JSON.stringify([groupName, ...Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** Returns the symbols that entries name without a pattern. */
export function namedSymbols(basket: readonly BasketEntry[]): ReadonlySet<string> {
  return new Set(
    basket
      .filter(({ entry }) => !entry.pattern)
      .map(({ entry }) => symbolSignature(entry.groupName, entry.symbols)),
  )
}

/** Returns the basket without the entries of these symbols. */
export function withoutSymbols(basket: readonly BasketEntry[], removed: ReadonlySet<string>) {
  return basket.filter(
    ({ entry }) => entry.pattern || !removed.has(symbolSignature(entry.groupName, entry.symbols)),
  )
}

/** Returns the basket with removed entries of an earlier state restored to their positions. */
export function withRestored(
  basket: readonly BasketEntry[],
  earlier: readonly BasketEntry[],
  keys: ReadonlySet<string>,
): readonly BasketEntry[] {
  const present = new Set(basket.map(({ key }) => key))
  let restored = basket
  for (const [position, item] of earlier.entries())
    if (keys.has(item.key) && !present.has(item.key)) restored = restored.toSpliced(position, 0, item)
  return restored
}

/**
 * Returns the basket with entries moved by a number of positions, within its bounds; their relative order is
 * preserved.
 */
export function movedBy(
  basket: readonly BasketEntry[],
  keys: ReadonlySet<string>,
  by: number,
): readonly BasketEntry[] {
  const moved = basket.filter(({ key }) => keys.has(key))
  const others = basket.filter(({ key }) => !keys.has(key))
  const first = basket.findIndex(({ key }) => keys.has(key))
  if (first === -1) return basket
  const position = Math.min(others.length, Math.max(0, first + by))
  return [...others.slice(0, position), ...moved, ...others.slice(position)]
}

/** Returns the problem of an entry; undefined if it can be queried. */
export function entryProblem(entry: DataPrepSymbol, dataGroupName: string | null): string | undefined {
  if ((entry.groupName ?? dataGroupName) === null) return 'The entry has no group.'
  const isAll =
    entry.valueColumnNames.length === 0 || entry.valueColumnNames.some((name) => /^\*+$/.test(name))
  return entry.pattern && isAll ? 'A pattern needs the names of its columns.' : undefined
}

/** Formats an entry for display, keys by name: `Code=BRENT · Period=D`, or `Every symbol`. */
export function entryName({ symbols }: Pick<DataPrepSymbol, 'symbols'>): string {
  const pairs = Object.entries(symbols)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${String(value)}`)
  return pairs.length === 0 ? 'Every symbol' : pairs.join(' · ')
}

/** Formats the columns of an entry. */
export function columnsText({ valueColumnNames }: Pick<DataPrepSymbol, 'valueColumnNames'>): string {
  return valueColumnNames.length === 0 ? 'All columns' : valueColumnNames.join(', ')
}

/** Formats the offset of an entry; a dash without a valid one. */
export function offsetText({ offsetType, offsetAmount }: DataPrepSymbol): string {
  if (offsetType === null || offsetAmount === null || !isWholeAmount(offsetAmount)) return '—'
  const unit = unitText(offsetType).toLowerCase()
  return `${offsetAmount} ${Math.abs(Number(offsetAmount)) === 1 ? unit.replace(/s$/, '') : unit}`
}

/** Formats the fill of an entry. */
export function fillText({ fillType, avgPointsAmount }: DataPrepSymbol): string {
  if (fillType === null || fillType === 'NONE') return 'None'
  if (!fillTypesWithAmount.includes(fillType)) return unitText(fillType)
  return avgPointsAmount === null ? 'None' : `Average of ${avgPointsAmount}`
}

/** Returns whether an amount is a whole number; others are ignored. */
export function isWholeAmount(amount: string): boolean {
  return /^[+-]?\d+$/.test(amount)
}

/** Formats an enum value of the contract: `WORKING_DAYS` becomes `Working days`. */
export function unitText(name: string): string {
  return name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Returns the width of the group column in pixels: 8 for each character of the longest and 38 more, at least 106. */
export function groupColumnWidth(names: readonly string[]): number {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  return Math.max(106, longest * 8 + 38)
}
