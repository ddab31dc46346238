import type { SymbolItem, SymbolMap } from '@headwater/symbols/contract'
import {
  fillTypesWithAmount,
  newDataPrepSymbol,
  type DataPrepDetails,
  type DataPrepSymbol,
} from '../../contract/index.ts'

/** An entry of the basket while it is edited. */
export interface BasketEntry {
  /** Tells it apart from all others, also from one of the same symbol. */
  key: string
  entry: DataPrepSymbol
  /** Number of symbols it means, as the server told when the data prep was read; absent for what has changed since. */
  symbolCount?: number
}

let lastKey = 0

/** A place in the basket for an entry. */
export function toBasketEntry(entry: DataPrepSymbol): BasketEntry {
  return { key: String(++lastKey), entry }
}

/** The basket of a data prep as it was read. */
export function basketOf({ symbols, resolved = [] }: Pick<DataPrepDetails, 'symbols' | 'resolved'>) {
  const counts = new Map(resolved.map(({ index, totalSize }) => [index, totalSize]))
  return symbols.map((entry, index) => {
    const symbolCount = counts.get(index)
    return { ...toBasketEntry(entry), ...(symbolCount === undefined ? {} : { symbolCount }) }
  })
}

/** An entry for one symbol with all its columns. */
export function entryOfSymbol({
  groupName,
  symbols,
  metadata,
}: Pick<SymbolItem, 'groupName' | 'symbols' | 'metadata'>) {
  return newDataPrepSymbol({ groupName, symbols, metadata })
}

/** An entry for every symbol of a group with these values; `*` in them stands for any text. */
export function entryOfPattern(groupName: string, symbols: SymbolMap, columns: string[]): DataPrepSymbol {
  return newDataPrepSymbol({ groupName, symbols, pattern: true, valueColumnNames: columns })
}

/** The same text for the same symbol of the same group. */
export function symbolSignature(groupName: string | null, symbols: Record<string, unknown>): string {
  return JSON.stringify([groupName, ...Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** The symbols that entries name one by one. */
export function namedSymbols(basket: readonly BasketEntry[]): ReadonlySet<string> {
  return new Set(
    basket
      .filter(({ entry }) => !entry.pattern)
      .map(({ entry }) => symbolSignature(entry.groupName, entry.symbols)),
  )
}

/** The basket without the entries that name one of these symbols. */
export function withoutSymbols(basket: readonly BasketEntry[], removed: ReadonlySet<string>) {
  return basket.filter(
    ({ entry }) => entry.pattern || !removed.has(symbolSignature(entry.groupName, entry.symbols)),
  )
}

/** The basket with entries of an earlier state of it put back to where they were, as far as they are gone. */
export function withRestored(
  basket: readonly BasketEntry[],
  earlier: readonly BasketEntry[],
  keys: ReadonlySet<string>,
): readonly BasketEntry[] {
  const present = new Set(basket.map(({ key }) => key))
  let restored = basket
  for (const [place, item] of earlier.entries())
    if (keys.has(item.key) && !present.has(item.key)) restored = restored.toSpliced(place, 0, item)
  return restored
}

/** The basket with the entries moved by so many places, as far as there is room; their order among each other stays. */
export function movedBy(
  basket: readonly BasketEntry[],
  keys: ReadonlySet<string>,
  by: number,
): readonly BasketEntry[] {
  const moved = basket.filter(({ key }) => keys.has(key))
  const others = basket.filter(({ key }) => !keys.has(key))
  const first = basket.findIndex(({ key }) => keys.has(key))
  if (first === -1) return basket
  const place = Math.min(others.length, Math.max(0, first + by))
  return [...others.slice(0, place), ...moved, ...others.slice(place)]
}

/** What is wrong with an entry, in words; undefined when it can be asked for. */
export function entryProblem(entry: DataPrepSymbol, dataGroupName: string | null): string | undefined {
  if ((entry.groupName ?? dataGroupName) === null) return 'It names no group.'
  const isAll =
    entry.valueColumnNames.length === 0 || entry.valueColumnNames.some((name) => /^\*+$/.test(name))
  return entry.pattern && isAll ? 'A pattern needs the names of its columns.' : undefined
}

/** An entry as people read it, keys by name: `Code=BRENT · Period=D`, or `Every symbol`. */
export function entryName({ symbols }: Pick<DataPrepSymbol, 'symbols'>): string {
  const pairs = Object.entries(symbols)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${String(value)}`)
  return pairs.length === 0 ? 'Every symbol' : pairs.join(' · ')
}

/** The columns an entry takes, in words. */
export function columnsText({ valueColumnNames }: Pick<DataPrepSymbol, 'valueColumnNames'>): string {
  return valueColumnNames.length === 0 ? 'All columns' : valueColumnNames.join(', ')
}

/** The offset of an entry in words, a dash when there is none that counts. */
export function offsetText({ offsetType, offsetAmount }: DataPrepSymbol): string {
  if (offsetType === null || offsetAmount === null || !isWholeAmount(offsetAmount)) return '—'
  const unit = unitText(offsetType).toLowerCase()
  return `${offsetAmount} ${Math.abs(Number(offsetAmount)) === 1 ? unit.replace(/s$/, '') : unit}`
}

/** How the gaps of an entry are filled, in words. */
export function fillText({ fillType, avgPointsAmount }: DataPrepSymbol): string {
  if (fillType === null || fillType === 'NONE') return 'None'
  if (!fillTypesWithAmount.includes(fillType)) return unitText(fillType)
  return avgPointsAmount === null ? 'None' : `Average of ${avgPointsAmount}`
}

/** Whether an amount is written as a whole number; others do not count. */
export function isWholeAmount(amount: string): boolean {
  return /^[+-]?\d+$/.test(amount)
}

/** A word of the contract as people write it: `WORKING_DAYS` is `Working days`. */
export function unitText(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Width of the column with names of groups, in pixels: 8 for each character of the longest and 38 more, at least 106. */
export function groupColumnWidth(names: readonly string[]): number {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  return Math.max(106, longest * 8 + 38)
}
