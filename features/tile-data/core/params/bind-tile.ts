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

/** A parameter set with its chosen values. */
export interface AppliedSet {
  /** The parameter set. */
  set: ParamSet
  /** Its chosen values. */
  chosen: ParamValues
}

/** Returns the set that a tile is bound to by `sourceInputParamsId`. */
export function setOfTile(
  { sourceInputParamsId }: Tile,
  sets: readonly AppliedSet[],
): AppliedSet | undefined {
  return sets.find(({ set }) => set.id === sourceInputParamsId)
}

/** Applies the chosen values to a tile and its data prep: to symbols, range, and labels in texts. */
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

/** An automatic title names the chosen symbols instead of the stored ones. */
function boundHeading(
  stored: { tile: Tile; dataPrep: TileDataPrep },
  chosen: { tile: Tile; dataPrep: TileDataPrep },
): Partial<Tile> {
  const { heading, title } = stored.tile
  const before = automaticTitle(stored.tile, stored.dataPrep)
  const after = automaticTitle(chosen.tile, chosen.dataPrep)
  if (textOf(heading).trim() !== '' || after === before || !isAutomatic(title, before)) return {}
  // The kind at the end of a title distinguishes tiles with the same series.
  const [kind = ''] = / \([a-z ]+\)/i.exec(title.slice(before?.length)) ?? []
  return { heading: `${after}${kind}` }
}

interface KeyedEntry {
  symbols: Readonly<Record<string, unknown>>
  pattern?: unknown
}

/** Returns whether a value of a key applies to an entry: the entry has the key, or is a pattern. */
export function takesKey({ symbols, pattern }: KeyedEntry, key: string): boolean {
  return isOpenEntry({ symbols, pattern }) || ownKey(symbols, key) !== undefined
}

function isOpenEntry({ symbols, pattern }: KeyedEntry): boolean {
  return pattern === true || Object.keys(symbols).length === 0
}

/** Finds a key of symbols, ignoring case. */
function ownKey(symbols: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.keys(symbols).find((own) => own.toLowerCase() === name.toLowerCase())
}

/** Applies the chosen values to the keys of an entry. The result is a pattern. */
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
    // An entry that names all keys of a symbol still matches only symbols with exactly these keys.
    ...(isOpen ? {} : { patternExactMatch: true }),
  }
}

/** Returns the filters that a set adds to the queries of its tiles: the filters of the set, and the chosen metadata. */
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

/**
 * Returns a function that tests rows of a file or typed table against the values of a set; undefined if the set filters
 * no column.
 */
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

/** Returns whether a date lies between two days; an empty day is open. */
function isWithin(text: string, from: string, to: string): boolean {
  const day = text.slice(0, 10)
  return day !== '' && (from === '' || day >= from) && (to === '' || day <= to)
}

const placeholder = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** Returns the labels in the texts of a tile: `{{label}}`. */
export function labelsIn(tile: Tile): Set<string> {
  const texts = [
    ...filledFields(tile).map(({ text }) => text),
    ...seriesOf(tile).map(({ label }) => textOf(label)),
  ]
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(placeholder), ([, label]) => label!)))
}

/**
 * Replaces `{{label}}` in a string with the chosen value of the field, or with text such as `any product` if there is
 * none. Unknown labels stay unchanged.
 * @param written formats a value; default: values stay unchanged
 */
export function filledText(
  text: string,
  sets: readonly AppliedSet[],
  own: AppliedSet | undefined,
  written: (value: string) => string = (value) => value,
): string {
  if (!text.includes('{{')) return text
  const open = new Set<string>()
  const values = valuesByLabel(withOwn(sets, own), (isDefault, label) => {
    const name = `${isDefault ? 'the default' : 'any'} ${inSentence(label)}`
    open.add(name)
    return name
  })
  return text.replace(placeholder, (whole, label: string, offset: number) => {
    const value = values.get(label) ?? whole
    const startsSentence = open.has(value) && /(?:^|[.!?:]\s|\n)[\s#>*_-]*$/.test(text.slice(0, offset))
    return value === whole
      ? whole
      : written(startsSentence ? value[0]!.toUpperCase() + value.slice(1) : value)
  })
}

/** Replaces `{{label}}` in the label of a series; a field without a value is `Any` or `Default`. */
function filledLabel(text: string, sets: readonly AppliedSet[], own: AppliedSet | undefined): string {
  if (!text.includes('{{')) return text
  const values = placeholderValues(withOwn(sets, own))
  return text.replace(placeholder, (whole, label: string) => values.get(label) ?? whole)
}

function withOwn(sets: readonly AppliedSet[], own: AppliedSet | undefined): readonly AppliedSet[] {
  return own === undefined ? sets : [...sets, own]
}

/** Returns the visible heading of a tile, with the values of its labels. */
export function appliedHeading(tile: Tile, sets: readonly AppliedSet[]): string {
  return filledText(headingOf(tile), sets, setOfTile(tile, sets))
}

/** Escapes a value for markdown, because a URL could otherwise insert links or pictures. */
function plainMarkdown(value: string): string {
  return value.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/\s+/g, ' ')
}

/** Returns whether a value leaves the data of tiles unchanged: a series set without a choice. */
export function isLeftToTiles({ basicInputParamsType }: ParamSet, value: string | undefined): boolean {
  return basicInputParamsType === 'TS' && (value ?? '') === ''
}

/** Returns the chosen values as text, by the label of their field. A later set with a value wins. */
export function placeholderValues(sets: readonly AppliedSet[]): Map<string, string> {
  return valuesByLabel(sets, (isDefault) => (isDefault ? noValueLabel : anyValue.label))
}

/** Formats a label within a sentence: `Product` becomes `product`, but `GDP` stays unchanged. */
function inSentence(label: string): string {
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** Returns the values by label; `openText` describes a field without a value, which leaves tiles unchanged or matches all values. */
function valuesByLabel(
  sets: readonly AppliedSet[],
  openText: (isDefault: boolean, label: string) => string,
): Map<string, string> {
  const values = new Map<string, string>()
  for (const { set, chosen } of sets)
    for (const { label, name, kind } of fieldsOf(set)) {
      const value = chosen.values[name] ?? ''
      const text = kind === 'dates' ? datesText(value) : value === anyValue.value ? '' : value
      if (text !== '') values.set(label, text)
      else if (!values.has(label)) values.set(label, openText(isLeftToTiles(set, value), label))
    }
  return values
}

function datesText(value: string): string {
  const { from, to } = splitDates(value)
  if (from === '') return to === '' ? '' : `until ${to}`
  return to === '' ? `from ${from}` : `${from} to ${to}`
}

/** Fields of tiles that can contain labels. */
const textFields = ['heading', 'titleTooltipText', 'chartTitle', 'templateContent'] as const

/**
 * Returns the texts of a tile that can contain labels. Includes only markdown templates, because other templates have
 * their own placeholders.
 */
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
    typeof each.label === 'string' ? { ...each, label: filledLabel(each.label, sets, own) } : each,
  )
  if (labels.some((each, index) => each.label !== series[index]!.label)) filled.series = labels
  return Object.keys(filled).length === 0 ? tile : { ...tile, ...filled }
}

/**
 * Applies the chosen values to the series of charts and stats. An automatic label follows the symbols, equal series are merged, and rules
 * find a series by its earlier names.
 * @param stored the series in the definition
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

/** Applies the chosen symbols to a series; returns the same object if none applies. */
function boundSeries(each: Record<string, unknown>, bound: AppliedSet): Record<string, unknown> {
  const before = symbolMapsOf(each)
  const after = before.map((symbols) => boundSymbols({ groupName: '', symbols }, bound).symbols)
  if (JSON.stringify(after) === JSON.stringify(before)) return each
  const list = distinct(after)
  const column = textOf(each.column)
  const isAny = list.some((symbols) => Object.values(symbols).includes(anyValue.value))
  const form = givenNames(before, column).indexOf(textOf(each.label))
  // If any value is allowed, the matching symbols provide the names.
  const names = isAny ? ['', column, ''] : givenNames(list, column)
  const isAnyOnly = isAny && each.label === anyValue.label
  return {
    ...each,
    ...(form === -1 ? (isAnyOnly ? { label: '' } : {}) : { label: names[form] }),
    ...(Array.isArray(each.symbolList) ? { symbolList: list } : { symbols: list[0] }),
    // A symbol with any value becomes one line per match. Several symbols are still summed.
    ...(isAny && Array.isArray(each.symbolList) && before.length === 1 ? { dynamic: true } : {}),
  }
}

/** Returns the symbols of the series of a chart or stats tile. */
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

/** Returns the range fields of a tile for a chosen range. */
export function chosenRangeFields(range: ChosenRange): Partial<Tile> {
  return { ...range, fromTime: '', toTime: '' }
}
