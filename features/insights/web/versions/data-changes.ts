import { ownValue, type InsightContent, type Tile } from '@headwater/tiles/contract'
import type { FieldChange } from '../../contract/index.ts'
import { symbolName, symbolSignature, tileSourceOf } from '@headwater/tiles/core'
import { partLabel, valueText } from './part-label.ts'

/** One thing that came, went or changed in what a tile shows, in words. */
export interface DataChange {
  kind: 'added' | 'removed' | 'changed'
  text: string
}

/** What changed in the data of a tile: in words, and as it is stored where there are none. */
export interface DataChanges {
  changes: DataChange[]
  rest: FieldChange[]
}

/** Fields of a tile that {@link dataChanges} tells in words; `data` is what it asks storage for. */
const toldFields: readonly string[] = [
  'source',
  'dataSource',
  'data',
  'series',
  'columns',
  'sourceInputParamsId',
]

/** Whether a differing field of a tile is told in words already. */
export function isToldAsData({ path }: FieldChange): boolean {
  return toldFields.includes(path.split(/[.[]/, 1)[0]!)
}

/** A tile with the definition it stands in. */
export interface TileSide {
  tile: Tile
  content: InsightContent
}

/** What came, went or changed in what a tile shows; an absent side means that the tile came or went. */
export function dataChanges(before: TileSide | undefined, after: TileSide | undefined): DataChanges {
  // of a tile that came or went only a source that somebody chose is worth a word
  const own = before === undefined || after === undefined ? '' : 'series of its own'
  const [old, now] = [shownBy(before, own), shownBy(after, own)]
  const found: DataChanges[] = [
    ...Object.keys({ ...old.places, ...now.places }).map((name) =>
      placeChanges(name, old.places[name] ?? '', now.places[name] ?? ''),
    ),
    listChanges('Series', old.series, now.series),
    listChanges('Symbol', old.symbols, now.symbols),
    listChanges('Column', old.columns, now.columns),
    fieldChanges('Data', old.others, now.others),
  ]
  return together(found)
}

/** The same for series that belong to no tile: those of the basket, and data of tiles that are gone. */
export function symbolChanges(before: unknown, after: unknown): DataChanges {
  return listChanges('Symbol', symbolEntries(before), symbolEntries(after))
}

function together(found: readonly DataChanges[]): DataChanges {
  return {
    changes: found.flatMap(({ changes }) => changes),
    rest: found.flatMap(({ rest }) => rest),
  }
}

/** One entry of a list: a series, a symbol, a column. */
interface Entry {
  /** What it is known by, the surest first. */
  keys: string[]
  /** What it is called in a sentence about it. */
  name: string
  /** What is said of it when it comes or goes. */
  text: string
  /** What may change while it stays the same entry. */
  fields: Stored
}

interface Shown {
  /** Where its data and its content come from, in words. */
  places: Record<string, string>
  series: Entry[]
  symbols: Entry[]
  columns: Entry[]
  /** What else its data prep says. */
  others: Stored
}

type Stored = Readonly<Record<string, unknown>>

function shownBy(side: TileSide | undefined, own: string): Shown {
  if (side === undefined) return { places: {}, series: [], symbols: [], columns: [], others: {} }
  const { tile, content } = side
  const dataPrep = ownValue(content.datapreps, tile.id)
  const { symbols, ...prep } = recordOf(dataPrep)
  const series = listOf(tile.series)
  const named = new Set(series.flatMap(signaturesOf))
  return {
    places: {
      ...(tile.type === 'CODE' ? { Code: placeOf({ ...tile, type: 'Text' }, undefined, content, '') } : {}),
      Source: placeOf(tile, dataPrep, content, own),
      Parameters: setTitle(tile, content),
    },
    series: series.map(seriesEntry),
    // the data prep of a chart repeats the symbols of its series
    symbols: symbolEntries(listOf(symbols).filter((each) => !named.has(signaturesOf(each)[0] ?? ''))),
    columns: listOf(tile.columns).map(columnEntry),
    others: Object.fromEntries(Object.entries(prep).filter(([field]) => !sourceFields.includes(field))),
  }
}

/** Fields of a data prep by which it names a saved one. */
const sourceFields: readonly string[] = ['id', 'name', 'outputGroup']

/** Where a tile gets its data or its content from; `own` for what it names itself. */
function placeOf(tile: Tile, dataPrep: unknown, content: InsightContent, own: string): string {
  const source = tileSourceOf(tile, dataPrep)
  switch (source.kind) {
    case 'series':
      return own
    case 'basket':
      return 'the basket'
    case 'text':
      return 'what is written in the tile'
    case 'tile': {
      const title = content.tiles.find(({ id }) => id === source.tileId)?.title
      return title === undefined ? 'a missing tile' : `the tile “${title || 'Untitled'}”`
    }
    case 'file':
      return source.file.fileName === ''
        ? 'no file'
        : `the file ${source.file.fileName} of ${source.file.groupName}`
    case 'dataPrep':
      return 'id' in source.dataPrep
        ? `the data prep ${source.dataPrep.id}`
        : `the data prep ${source.dataPrep.name} of ${source.dataPrep.groupName}`
  }
}

function setTitle({ sourceInputParamsId: id }: Tile, { inputParams }: InsightContent): string {
  if (typeof id !== 'string' || id === '') return ''
  return textOf(recordOf(ownValue(inputParams, id)).title) || id
}

function placeChanges(name: string, before: string, after: string): DataChanges {
  if (before === after) return { changes: [], rest: [] }
  const change = (): DataChange => {
    if (before === '') return { kind: 'added', text: `${name}: ${after}` }
    if (after === '') return { kind: 'removed', text: `${name}: ${before}` }
    return { kind: 'changed', text: `${name} from ${before} to ${after}` }
  }
  return { changes: [change()], rest: [] }
}

function seriesEntry(series: Stored): Entry {
  const { groupName, symbols, symbolList, column, label, ...fields } = series
  const names = Array.isArray(symbolList) ? listOf(symbolList) : symbols === undefined ? [] : [symbols]
  const symbolNames = names.map((each) => symbolName(textsOf(each))).join(' + ')
  const shown = [symbolNames, textOf(column)].filter((text) => text !== '').join(', ')
  const name = textOf(label) || shown || 'without a name'
  return {
    keys: [
      [...signaturesOf(series), textOf(column)].join(' '),
      ...(textOf(label) === '' ? [] : [`label ${textOf(label)}`]),
    ],
    name,
    text: [name, ...(shown === name || shown === '' ? [] : [`: ${shown}`]), ofGroup(groupName)].join(''),
    fields: { ...fields, label, group: textOf(groupName), symbols: symbolNames, column: textOf(column) },
  }
}

function symbolEntries(stored: unknown): Entry[] {
  return listOf(stored).map((entry) => {
    const { groupName, symbols, valueColumnNames, ...fields } = entry
    const name = `${symbolName(textsOf(symbols)) || 'every symbol'}${ofGroup(groupName)}`
    const columns = Array.isArray(valueColumnNames) ? valueColumnNames.map(String) : []
    const columnNames = columns.join(', ') || 'all columns'
    return {
      keys: signaturesOf(entry),
      name,
      text: `${name}, ${columnNames}`,
      fields: { ...fields, columns: columnNames },
    }
  })
}

function columnEntry(column: Stored): Entry {
  const { columnId, ...fields } = column
  const name = textOf(columnId) || 'without a name'
  return { keys: [name], name, text: name, fields }
}

/** The symbols of an entry as texts that are the same for the same symbols. */
function signaturesOf({ groupName, symbols, symbolList }: Stored): string[] {
  const all = Array.isArray(symbolList)
    ? listOf(symbolList)
    : symbols === undefined
      ? []
      : [recordOf(symbols)]
  return all.map((each) => symbolSignature(textOf(groupName), textsOf(each)))
}

function ofGroup(groupName: unknown): string {
  const name = textOf(groupName)
  return name === '' ? '' : ` of ${name}`
}

/** What came, went, moved or changed in a list whose entries are known by their keys. */
function listChanges(noun: string, before: readonly Entry[], after: readonly Entry[]): DataChanges {
  const pairs = matched(before, after)
  const kept = new Set(pairs.values())
  const found: DataChanges[] = after.map((entry) => {
    const was = pairs.get(entry)
    return was === undefined
      ? { changes: [{ kind: 'added', text: `${noun} ${entry.text}` }], rest: [] }
      : fieldChanges(`${noun} ${entry.name}`, was.fields, entry.fields)
  })
  const removed = before.filter((entry) => !kept.has(entry))
  const places = after.flatMap((entry) => pairs.get(entry) ?? []).map((entry) => before.indexOf(entry))
  const isMoved = places.some((place, index) => index > 0 && place < places[index - 1]!)
  return together([
    ...found,
    ...removed.map((entry): DataChanges => {
      return { changes: [{ kind: 'removed', text: `${noun} ${entry.text}` }], rest: [] }
    }),
    {
      changes: isMoved ? [{ kind: 'changed', text: `${plurals[noun]} stand in another order` }] : [],
      rest: [],
    },
  ])
}

const plurals: Readonly<Record<string, string>> = { Series: 'Series', Symbol: 'Symbols', Column: 'Columns' }

/** Which entry was which before: by the surest key that both have, each of them once. */
function matched(before: readonly Entry[], after: readonly Entry[]): Map<Entry, Entry> {
  const pairs = new Map<Entry, Entry>()
  const free = new Set(before)
  const depth = Math.max(0, ...after.map(({ keys }) => keys.length))
  for (let level = 0; level < depth; level += 1)
    for (const entry of after) {
      if (pairs.has(entry)) continue
      const was = [...free].find(({ keys }) => keys[level] !== undefined && keys[level] === entry.keys[level])
      if (was === undefined) continue
      pairs.set(entry, was)
      free.delete(was)
    }
  return pairs
}

/** The fields that differ, in one sentence; what is no single value is told as it is stored. */
function fieldChanges(name: string, before: Stored, after: Stored): DataChanges {
  const words: string[] = []
  const rest: FieldChange[] = []
  for (const field of Object.keys({ ...before, ...after })) {
    const [was, is] = [ownValue(before, field), ownValue(after, field)]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const label = partLabel(field)
    if (isSingle(was) && isSingle(is))
      words.push(
        `${label.charAt(0).toLowerCase()}${label.slice(1)} from ${singleText(was)} to ${singleText(is)}`,
      )
    else rest.push({ path: `${name} › ${label}`, before: was, after: is })
  }
  return {
    changes: words.length === 0 ? [] : [{ kind: 'changed', text: `${name}: ${words.join(', ')}` }],
    rest,
  }
}

function isSingle(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

function singleText(value: unknown): string {
  if (value === undefined || value === null) return 'not set'
  return value === '' ? 'empty' : valueText(value)
}

function listOf(value: unknown): Stored[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function recordOf(value: unknown): Stored {
  return isRecord(value) ? value : {}
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(recordOf(value)).map(([key, text]) => [key, String(text)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
