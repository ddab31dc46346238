import { z } from 'zod'
import type { DataPrepSymbols, InsightContent, Tile } from '../../contract/index.ts'
import { symbolName, symbolSignature } from '../series/series-name.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { isBackwards } from '../series/series-request.ts'
import { listOf, text } from '../common/loose-fields.ts'

/** Above this number of items, the basket panel opens on the items tab. */
export const manyItems = 30
/** Message for a pattern without columns. */
export const patternColumnsMessage = 'Pattern symbols with all columns selected are not supported.'

const flag = z.boolean().catch(false)
const textMap = z.record(z.string(), z.string()).catch({})

/** One item of the basket: a symbol or a pattern of symbols, with their columns. */
const basketItem = z.looseObject({
  groupName: z.string().min(1).describe('Group of the symbols.'),
  symbols: z.record(z.string(), z.string()).describe('Symbol keys and their values.'),
  metadata: textMap.describe('Metadata of the symbol, for display only.'),
  valueColumnNames: listOf(z.string().min(1)).describe(
    'Columns; empty means all, which is not allowed for a pattern.',
  ),
  type: text.describe('SYMBOL or PATTERN.'),
  pattern: flag.describe('true: `*` in values and columns stands for any text. false: picked directly.'),
  query: text.describe('The search that the pattern was created from.'),
  patternExactMatch: flag.describe('With `pattern`: only symbols with exactly these keys.'),
  symbolValuesExactMatch: flag.describe('With `pattern`: a `*` in values is a literal asterisk.'),
  source: text.describe('Storage of the series. There is only one.'),
  previewAccess: flag.describe('Whether the item is read-only: users cannot change or remove it.'),
})
/** A parsed {@link basketItem}. */
export type BasketItem = z.output<typeof basketItem>

/** The basket of an insight: series that several tiles share, and their range. */
export interface Basket {
  /** The items in their order. */
  items: readonly BasketItem[]
  /** Range of all series. */
  settings: SeriesRange
}

/** Reads the basket of an insight. Invalid items are omitted. */
export function basketOf({ basket }: InsightContent): Basket {
  const stored = z.looseObject({ items: listOf(basketItem), settings: z.unknown() }).safeParse(basket)
  const settings = z.looseObject({}).catch({}).parse(stored.data?.settings)
  return { items: stored.data?.items ?? [], settings: seriesRange.parse(settings) }
}

/** Returns whether an insight has basket items or tiles that use the basket. */
export function hasBasket(content: InsightContent, isBound: (tile: Tile) => boolean): boolean {
  return basketOf(content).items.length > 0 || content.tiles.some(isBound)
}

/** Returns the series of the basket in the form of a data prep. */
export function basketSymbols({ items }: Basket): DataPrepSymbols[] {
  return items.map(({ groupName, symbols, valueColumnNames, ...item }) => ({
    groupName,
    symbols,
    valueColumnNames,
    ...(item.pattern
      ? {
          pattern: true,
          patternExactMatch: item.patternExactMatch,
          symbolValuesExactMatch: item.symbolValuesExactMatch,
        }
      : {}),
  }))
}

/** Creates an item from columns of a symbol. A `*` in a value makes it a pattern. */
export function newItem(given: {
  groupName: string
  symbols: Record<string, string>
  valueColumnNames: string[]
}): BasketItem {
  const pattern = Object.values(given.symbols).some((value) => value.includes('*'))
  return basketItem.parse({ ...given, pattern, type: pattern ? 'PATTERN' : 'SYMBOL' })
}

/** Adds items to a basket. Columns of a symbol that is already in the basket are added to its item. */
export function withAdded(items: readonly BasketItem[], added: readonly BasketItem[]): BasketItem[] {
  const all = [...items]
  for (const item of added) {
    const at = all.findIndex(
      (known) =>
        !known.previewAccess && known.pattern === item.pattern && signature(known) === signature(item),
    )
    const known = all[at]
    if (known === undefined) all.push(item)
    else if (known.valueColumnNames.length > 0)
      all[at] = {
        ...known,
        valueColumnNames:
          item.valueColumnNames.length === 0
            ? []
            : [...new Set([...known.valueColumnNames, ...item.valueColumnNames])],
      }
  }
  return all
}

/** Swaps an item with its neighbour; returns the same list if there is no neighbour. */
export function moved(items: readonly BasketItem[], index: number, by: -1 | 1): readonly BasketItem[] {
  const other = items[index + by]
  return other === undefined ? items : items.with(index + by, items[index]!).with(index, other)
}

/** Replaces the symbol of an item. Its columns stay unchanged. */
export function swapped(
  items: readonly BasketItem[],
  index: number,
  to: { groupName: string; symbols: Record<string, string> },
): BasketItem[] {
  const before = items[index]!
  const { groupName, symbols } = to
  return items.with(index, {
    ...before,
    groupName,
    symbols,
    metadata: {},
    pattern: false,
    type: 'SYMBOL',
    query: '',
  })
}

/** Returns the reason why an item cannot be queried, as text for users; undefined if it can. */
export function itemProblem({ pattern, valueColumnNames }: BasketItem): string | undefined {
  const all = valueColumnNames.length === 0 || valueColumnNames.some((name) => /^\*+$/.test(name))
  return pattern && all ? patternColumnsMessage : undefined
}

/** Returns the reason why a basket cannot be applied, as text for users; undefined if it can. */
export function basketProblem({ items, settings }: Basket): string | undefined {
  const ofItems = items.map(itemProblem).find((text) => text !== undefined)
  if (ofItems !== undefined || !isBackwards(settings)) return ofItems
  return 'The range of the basket ends before it begins. Correct its dates under SETTINGS.'
}

/** Returns the name of an item. */
export function itemName({ symbols }: BasketItem): string {
  return symbolName(symbols) || 'Every symbol'
}

function signature({ groupName, symbols }: BasketItem): string {
  return symbolSignature(groupName, symbols)
}
