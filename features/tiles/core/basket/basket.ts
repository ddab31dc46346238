import { z } from 'zod'
import type { DataPrepSymbols, InsightContent, Tile } from '../../contract/index.ts'
import { symbolName, symbolSignature } from '../series/series-name.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { isBackwards } from '../series/series-request.ts'
import { listOf, text } from '../common/loose-fields.ts'

/** With more items than this the panel opens on them, whatever tab it showed last. */
export const manyItems = 30
/** What is said to a pattern that asks for all columns. */
export const patternColumnsMessage = 'Pattern symbols with all columns selected are not supported.'

const flag = z.boolean().catch(false)
const textMap = z.record(z.string(), z.string()).catch({})

/** One thing in the basket: a symbol, or a pattern of symbols, and which of their columns. */
export const basketItem = z.looseObject({
  groupName: z.string().min(1).describe('Group of the symbols.'),
  symbols: z.record(z.string(), z.string()).describe('Symbol keys and their values.'),
  metadata: textMap.describe('Metadata of the symbol, kept for people.'),
  valueColumnNames: listOf(z.string().min(1)).describe('Columns; empty = all, which a pattern cannot have.'),
  type: text.describe('SYMBOL or PATTERN.'),
  pattern: flag.describe('true: `*` in values and columns stands for any text. false: picked directly.'),
  query: text.describe('The search a pattern was made of.'),
  patternExactMatch: flag.describe('With `pattern`: only symbols with exactly these keys.'),
  symbolValuesExactMatch: flag.describe('With `pattern`: a `*` in values is a star.'),
  source: text.describe('Store of the series; there is one.'),
  previewAccess: flag.describe('Whether it may only be looked at: it cannot be changed or taken out.'),
})
export type BasketItem = z.output<typeof basketItem>

/** The basket of an insight: series that several tiles share, and which part of them. */
export interface Basket {
  items: readonly BasketItem[]
  settings: SeriesRange
}

/** The basket that is stored in an insight. */
export function basketOf({ basket }: InsightContent): Basket {
  const stored = z.looseObject({ items: listOf(basketItem), settings: z.unknown() }).safeParse(basket)
  const settings = z.looseObject({}).catch({}).parse(stored.data?.settings)
  return { items: stored.data?.items ?? [], settings: seriesRange.parse(settings) }
}

/** Whether an insight has a basket, or tiles that would show one. */
export function hasBasket(content: InsightContent, isBound: (tile: Tile) => boolean): boolean {
  return basketOf(content).items.length > 0 || content.tiles.some(isBound)
}

/** The series in the basket as a tile asks for them. */
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

/** An item of picked columns of a symbol. */
export function newItem(given: {
  groupName: string
  symbols: Record<string, string>
  valueColumnNames: string[]
}): BasketItem {
  const pattern = Object.values(given.symbols).some((value) => value.includes('*'))
  return basketItem.parse({ ...given, pattern, type: pattern ? 'PATTERN' : 'SYMBOL' })
}

/** Items with further ones; columns of a symbol that is in already join its item. */
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

/** Items in which one has changed its place with its neighbour; the same ones at the ends. */
export function moved(items: readonly BasketItem[], index: number, by: -1 | 1): readonly BasketItem[] {
  const other = items[index + by]
  return other === undefined ? items : items.with(index + by, items[index]!).with(index, other)
}

/** Items in which one stands for another symbol; its columns stay. */
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

/** Why an item cannot be asked for; undefined when it can. */
export function itemProblem({ pattern, valueColumnNames }: BasketItem): string | undefined {
  const all = valueColumnNames.length === 0 || valueColumnNames.some((name) => /^\*+$/.test(name))
  return pattern && all ? patternColumnsMessage : undefined
}

/** Why a basket cannot be applied; undefined when it can. */
export function basketProblem({ items, settings }: Basket): string | undefined {
  const ofItems = items.map(itemProblem).find((text) => text !== undefined)
  if (ofItems !== undefined || !isBackwards(settings)) return ofItems
  return 'The range of the basket ends before it begins. Correct its dates under SETTINGS.'
}

/** What an item is called. */
export function itemName({ symbols }: BasketItem): string {
  return symbolName(symbols) || 'Every symbol'
}

function signature({ groupName, symbols }: BasketItem): string {
  return symbolSignature(groupName, symbols)
}
