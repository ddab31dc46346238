import type { DataQueryInput } from '@headwater/symbols/contract'
import {
  headingOf,
  keepsOwnRange,
  type DataPrepSymbols,
  type Tile,
  type TileDataPrep,
} from '../../contract/index.ts'
import { givenNames, isSymbolMap, symbolSignature } from '../series/series-name.ts'
import { automaticTitle, isAutomatic } from '../common/automatic-title.ts'
import { anyValue, completeFilters, fieldsOf, noValueLabel, splitDates, type ParamSet } from './param-set.ts'
import type { ChosenRange, ParamValues } from './param-values.ts'

/** A set and what is chosen in it. */
export interface AppliedSet {
  set: ParamSet
  chosen: ParamValues
}

/** The set a tile is bound to: the one whose id its `sourceInputParamsId` is. */
export function setOfTile(
  { sourceInputParamsId }: Tile,
  sets: readonly AppliedSet[],
): AppliedSet | undefined {
  return sets.find(({ set }) => set.id === sourceInputParamsId)
}

/**
 * A tile and its question as the chosen values make them: symbols get the chosen values, the range is the chosen one,
 * and texts have the values of the labels they name.
 */
export function boundTile(
  tile: Tile,
  dataPrep: TileDataPrep,
  sets: readonly AppliedSet[],
): { tile: Tile; dataPrep: TileDataPrep } {
  const bound = setOfTile(tile, sets)
  const withTexts = filledTexts(tile, sets, bound)
  if (bound === undefined) return { tile: withTexts, dataPrep }
  const boundPrep = { ...dataPrep, symbols: dataPrep.symbols.map((entry) => boundSymbols(entry, bound)) }
  const withSeries = withSymbols(withTexts, seriesOf(tile), bound)
  return {
    tile: {
      ...withSeries,
      ...boundHeading({ tile, dataPrep }, { tile: withSeries, dataPrep: boundPrep }),
      ...(keepsOwnRange(tile) ? {} : rangeFields(bound)),
    },
    dataPrep: boundPrep,
  }
}

/** A title that nobody typed names the chosen symbols in place of the stored ones. */
function boundHeading(
  stored: { tile: Tile; dataPrep: TileDataPrep },
  chosen: { tile: Tile; dataPrep: TileDataPrep },
): Partial<Tile> {
  const { heading, title } = stored.tile
  const before = automaticTitle(stored.tile, stored.dataPrep)
  const after = automaticTitle(chosen.tile, chosen.dataPrep)
  if (textOf(heading).trim() !== '' || after === before || !isAutomatic(title, before)) return {}
  return { heading: after }
}

interface KeyedEntry {
  symbols: Readonly<Record<string, unknown>>
  pattern?: unknown
}

/** Whether an entry takes a value of a key: it has the key, or is a pattern and can get any. */
export function takesKey({ symbols, pattern }: KeyedEntry, key: string): boolean {
  return isOpenEntry({ symbols, pattern }) || ownKey(symbols, key) !== undefined
}

function isOpenEntry({ symbols, pattern }: KeyedEntry): boolean {
  return pattern === true || Object.keys(symbols).length === 0
}

/** The key of some symbols with a name in whatever letter case. */
function ownKey(symbols: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.keys(symbols).find((own) => own.toLowerCase() === name.toLowerCase())
}

/** An entry with the values that are chosen for its keys; a chosen `*`, and what was a pattern, asks by pattern. */
export function boundSymbols<Entry extends DataPrepSymbols>(
  entry: Entry,
  { set, chosen }: AppliedSet,
): Entry {
  const isOpen = isOpenEntry(entry)
  const symbols = { ...entry.symbols }
  let changed = false
  for (const { name, kind } of fieldsOf(set)) {
    const value = chosen.values[name] ?? ''
    if (value === '' || kind === 'metadata' || kind === 'dates') continue
    const key = ownKey(symbols, name)
    if (key === undefined && !isOpen) continue
    if (key === undefined && value === anyValue.value) continue
    symbols[key ?? name] = value
    changed = true
  }
  if (!changed) return entry
  return {
    ...entry,
    symbols,
    pattern: true,
    // what named a symbol completely still means symbols with these keys and no others
    ...(isOpen ? {} : { patternExactMatch: true }),
  }
}

/** The conditions a set puts on the questions of its tiles besides: its filters, and what is chosen of metadata. */
export function boundFilters(bound: AppliedSet | undefined): NonNullable<DataQueryInput['filters']> {
  if (bound === undefined) return []
  const { set, chosen } = bound
  const metadata = fieldsOf(set).flatMap(({ name, kind }) => {
    const value = chosen.values[name] ?? ''
    return kind !== 'metadata' || value === '' || value === anyValue.value
      ? []
      : [{ name: `metadata.${name}`, operator: 'EQUALS' as const, value }]
  })
  return [...completeFilters(set.filters), ...metadata]
}

/** Whether a row of a table that comes from no storage is chosen; cells by the names of their columns. */
export function rowFilter(
  bound: AppliedSet | undefined,
  columns: readonly { name: string; index: number }[],
): ((row: readonly string[]) => boolean) | undefined {
  if (bound === undefined) return undefined
  const { set, chosen } = bound
  const tests = fieldsOf(set).flatMap(({ name, kind }): ((row: readonly string[]) => boolean)[] => {
    const value = chosen.values[name] ?? ''
    const index = columns.find((column) => column.name.toLowerCase() === name.toLowerCase())?.index
    if (index === undefined || value === '' || value === anyValue.value) return []
    if (kind !== 'dates') return [(row) => row[index] === value]
    const { from, to } = splitDates(value)
    return [(row) => isWithin(row[index]!, from, to)]
  })
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}

/** Whether the day of a date lies between two days; open where one is empty. */
function isWithin(text: string, from: string, to: string): boolean {
  const day = text.slice(0, 10)
  return day !== '' && (from === '' || day >= from) && (to === '' || day <= to)
}

const placeholder = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** The labels that texts of a tile name as `{{label}}`. */
export function labelsIn(tile: Tile): Set<string> {
  const texts = [
    ...filledFields(tile).map(({ text }) => text),
    ...seriesOf(tile).map(({ label }) => textOf(label)),
  ]
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(placeholder), ([, label]) => label!)))
}

/**
 * A text in which `{{label}}` is the value that is chosen for the field of that label; unknown labels stay.
 * @param written how a value is written into the text; default as it is
 */
export function filledText(
  text: string,
  sets: readonly AppliedSet[],
  own: AppliedSet | undefined,
  written: (value: string) => string = (value) => value,
): string {
  if (!text.includes('{{')) return text
  const values = placeholderValues(own === undefined ? sets : [...sets, own])
  return text.replace(placeholder, (whole, label: string) => {
    const value = values.get(label)
    return value === undefined ? whole : written(value)
  })
}

/** The heading of a tile as readers see it, with the values of the labels it names. */
export function appliedHeading(tile: Tile, sets: readonly AppliedSet[]): string {
  return filledText(headingOf(tile), sets, setOfTile(tile, sets))
}

/** A value in markdown that is nothing but its letters: an address could bring links or pictures otherwise. */
function plainMarkdown(value: string): string {
  return value.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/\s+/g, ' ')
}

/** Whether a value of a field leaves the data of the tiles as they are: nothing is chosen of series. */
export function isLeftToTiles({ basicInputParamsType }: ParamSet, value: string | undefined): boolean {
  return basicInputParamsType === 'TS' && (value ?? '') === ''
}

/**
 * The chosen values by the label of their field, as people read them; a later set that chooses something wins.
 */
export function placeholderValues(sets: readonly AppliedSet[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const { set, chosen } of sets)
    for (const { label, name, kind } of fieldsOf(set)) {
      const value = chosen.values[name] ?? ''
      const text = kind === 'dates' ? datesText(value) : value === anyValue.value ? '' : value
      const open = isLeftToTiles(set, value) ? noValueLabel : anyValue.label
      if (text !== '' || !values.has(label)) values.set(label, text || open)
    }
  return values
}

function datesText(value: string): string {
  const { from, to } = splitDates(value)
  if (from === '') return to === '' ? '' : `until ${to}`
  return to === '' ? `from ${from}` : `${from} to ${to}`
}

/** Fields of tiles that may name labels. */
const textFields = ['heading', 'titleTooltipText', 'chartTitle', 'templateContent'] as const

/** The texts of a tile that may name labels; of templates only markdown, as other placeholders belong to the template. */
function filledFields(tile: Tile): { field: (typeof textFields)[number]; text: string }[] {
  return textFields.flatMap((field) => {
    const text = tile[field]
    if (typeof text !== 'string' || (field === 'templateContent' && tile.type !== 'Text')) return []
    return [{ field, text }]
  })
}

function filledTexts(tile: Tile, sets: readonly AppliedSet[], own: AppliedSet | undefined): Tile {
  const filled: Partial<Tile> = {}
  for (const { field, text } of filledFields(tile)) {
    const next = filledText(text, sets, own, field === 'templateContent' ? plainMarkdown : undefined)
    if (next !== text) filled[field] = next
  }
  const series = seriesOf(tile)
  const labels = series.map((each) =>
    typeof each.label === 'string' ? { ...each, label: filledText(each.label, sets, own) } : each,
  )
  if (labels.some((each, index) => each.label !== series[index]!.label)) filled.series = labels
  return Object.keys(filled).length === 0 ? tile : { ...tile, ...filled }
}

/**
 * The series of charts and stats name their symbols themselves. A label that was never typed follows them, series that
 * become the same are one, and rules know a series by the names it had before.
 * @param stored the series as the definition has them
 */
function withSymbols(tile: Tile, stored: readonly Record<string, unknown>[], bound: AppliedSet): Tile {
  const series = seriesOf(tile)
  if (series.length === 0) return tile
  const seen = new Set<string>()
  return {
    ...tile,
    series: series.flatMap((each, index) => {
      const next = boundSeries(each, bound)
      const signature = JSON.stringify({ ...next, color: undefined })
      if (seen.has(signature)) return []
      seen.add(signature)
      if (next === each) return [each]
      const { label, column } = stored[index]!
      const before = givenNames(symbolMapsOf(stored[index]!), textOf(column))
      return [{ ...next, namesBefore: textOf(label) === '' ? [...before, column] : [label] }]
    }),
  }
}

/** A series with the chosen symbols; the same object when nothing is chosen for it. */
function boundSeries(each: Record<string, unknown>, bound: AppliedSet): Record<string, unknown> {
  const before = symbolMapsOf(each)
  const after = before.map((symbols) => boundSymbols({ groupName: '', symbols }, bound).symbols)
  if (JSON.stringify(after) === JSON.stringify(before)) return each
  const list = distinct(after)
  const column = textOf(each.column)
  const isAny = list.some((symbols) => Object.values(symbols).includes(anyValue.value))
  const form = givenNames(before, column).indexOf(textOf(each.label))
  // any value: the names come with the symbols that are found, the word for it would only stand before them
  const names = isAny ? ['', column, ''] : givenNames(list, column)
  const isAnyOnly = isAny && each.label === anyValue.label
  return {
    ...each,
    ...(form === -1 ? (isAnyOnly ? { label: '' } : {}) : { label: names[form] }),
    ...(Array.isArray(each.symbolList) ? { symbolList: list } : { symbols: list[0] }),
    // one symbol that may be any is a line for each; several that were added up still are
    ...(isAny && Array.isArray(each.symbolList) && before.length === 1 ? { dynamic: true } : {}),
  }
}

/** The symbols that the series of a tile name themselves. */
export function symbolMapsIn(tile: Tile): Record<string, string>[] {
  return seriesOf(tile).flatMap(symbolMapsOf)
}

function symbolMapsOf({ symbolList, symbols }: Record<string, unknown>): Record<string, string>[] {
  return (Array.isArray(symbolList) ? symbolList : [symbols]).filter(isSymbolMap)
}

function distinct(maps: readonly Record<string, string>[]): Record<string, string>[] {
  return [...new Map(maps.map((symbols) => [symbolSignature('', symbols), symbols])).values()]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function seriesOf({ series }: Tile): Record<string, unknown>[] {
  return Array.isArray(series) && series.every((each) => typeof each === 'object' && each !== null)
    ? (series as Record<string, unknown>[])
    : []
}

function rangeFields({ set, chosen: { range } }: AppliedSet): Partial<Tile> {
  if (range === undefined) return {}
  const { timezone: timeZone, decimalPrecision } = set
  return { ...chosenRangeFields(range), timeZone, decimalPrecision }
}

/** The fields of a tile that say which part of its series it shows, for a chosen range. */
export function chosenRangeFields(range: ChosenRange): Partial<Tile> {
  return { ...range, fromTime: '', toTime: '' }
}
