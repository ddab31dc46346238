import { isRecord } from '@headwater/contract'
import { ownValue, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import type { FieldChange } from '../../contract/index.ts'
import { symbolName, symbolSignature, tileSourceOf } from '@headwater/tile-data/core'
import { partLabel, valueText } from './part-label.ts'

/** An addition, removal or change in a tile, as text. */
export interface DataChange {
  /** Whether something was added, removed or changed. */
  kind: 'added' | 'removed' | 'changed'
  /** Description of the change for users. */
  text: string
}

/** Changes in the data of a tile: as text, or as stored where no text exists. */
export interface DataChanges {
  /** Changes with a description. */
  changes: DataChange[]
  /** Other changes, as differing fields of the stored definition. */
  rest: FieldChange[]
}

/** Fields of a tile that {@link dataChanges} describes; `data` is its query. */
const dataFields: readonly string[] = [
  'source',
  'dataSource',
  'data',
  'series',
  'columns',
  'sourceInputParamsId',
]

/** Returns whether {@link dataChanges} describes a differing field. */
export function isDataField({ path }: FieldChange): boolean {
  return dataFields.includes(path.split(/[.[]/, 1)[0]!)
}

/** A tile and the definition that contains it. */
export interface TileSide {
  /** The tile. */
  tile: Tile
  /** The definition that contains it. */
  content: InsightContent
}

/** Returns the changes of the data of a tile; an undefined side means that the tile was added or removed. */
export function dataChanges(before: TileSide | undefined, after: TileSide | undefined): DataChanges {
  // for an added or removed tile, only a source that somebody chose is listed
  const own = before === undefined || after === undefined ? '' : 'its own series'
  const [old, now] = [summaryOf(before, own), summaryOf(after, own)]
  const parts: DataChanges[] = [
    ...Object.keys({ ...old.sources, ...now.sources }).map((name) =>
      sourceChanges(name, old.sources[name] ?? '', now.sources[name] ?? ''),
    ),
    listChanges('Series', old.series, now.series),
    listChanges('Symbol', old.symbols, now.symbols),
    listChanges('Column', old.columns, now.columns),
    fieldChanges('Data', old.others, now.others),
  ]
  return together(parts)
}

/** Returns the changes of series that belong to no tile: series in the basket, and data of deleted tiles. */
export function symbolChanges(before: unknown, after: unknown): DataChanges {
  return listChanges('Symbol', symbolEntries(before), symbolEntries(after))
}

function together(parts: readonly DataChanges[]): DataChanges {
  return {
    changes: parts.flatMap(({ changes }) => changes),
    rest: parts.flatMap(({ rest }) => rest),
  }
}

/** One entry of a list: a series, a symbol, a column. */
interface Entry {
  /** Identifiers, the most reliable first. */
  keys: string[]
  /** Name in a sentence. */
  name: string
  /** Text for its addition or removal. */
  text: string
  /** Values that can change while it remains the same entry. */
  fields: Stored
}

interface Summary {
  /** Sources of its data and content, as text. */
  sources: Record<string, string>
  series: Entry[]
  symbols: Entry[]
  columns: Entry[]
  /** Other settings of its data prep. */
  others: Stored
}

type Stored = Readonly<Record<string, unknown>>

function summaryOf(side: TileSide | undefined, own: string): Summary {
  if (side === undefined) return { sources: {}, series: [], symbols: [], columns: [], others: {} }
  const { tile, content } = side
  const dataPrep = ownValue(content.datapreps, tile.id)
  const { symbols, ...prep } = recordOf(dataPrep)
  const series = listOf(tile.series)
  const named = new Set(series.flatMap(signaturesOf))
  return {
    sources: {
      ...(tile.type === 'CODE' ? { Code: sourceOf({ ...tile, type: 'Text' }, undefined, content, '') } : {}),
      Source: sourceOf(tile, dataPrep, content, own),
      Parameters: setTitle(tile, content),
    },
    series: series.map(seriesEntry),
    // the data prep of a chart repeats the symbols of its series
    symbols: symbolEntries(listOf(symbols).filter((each) => !named.has(signaturesOf(each)[0] ?? ''))),
    columns: listOf(tile.columns).map(columnEntry),
    others: Object.fromEntries(Object.entries(prep).filter(([field]) => !sourceFields.includes(field))),
  }
}

/** Fields of a data prep that reference a saved one. */
const sourceFields: readonly string[] = ['id', 'name', 'outputGroup']

/** Source of the data or content of a tile; `own` for its own series or content. */
function sourceOf(tile: Tile, dataPrep: unknown, content: InsightContent, own: string): string {
  const source = tileSourceOf(tile, dataPrep)
  switch (source.kind) {
    case 'series':
      return own
    case 'basket':
      return 'the basket'
    case 'text':
      return 'text in the tile'
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

function sourceChanges(name: string, before: string, after: string): DataChanges {
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
  const details = [symbolNames, textOf(column)].filter((text) => text !== '').join(', ')
  const name = textOf(label) || details || 'unnamed'
  return {
    keys: [
      [...signaturesOf(series), textOf(column)].join(' '),
      ...(textOf(label) === '' ? [] : [`label ${textOf(label)}`]),
    ],
    name,
    text: [name, ...(details === name || details === '' ? [] : [`: ${details}`]), ofGroup(groupName)].join(
      '',
    ),
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
  const name = textOf(columnId) || 'unnamed'
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

/** Compares two lists whose entries are identified by their keys. */
function listChanges(noun: string, before: readonly Entry[], after: readonly Entry[]): DataChanges {
  const pairs = matchEntries(before, after)
  const paired = new Set(pairs.values())
  const parts: DataChanges[] = after.map((entry) => {
    const was = pairs.get(entry)
    return was === undefined
      ? { changes: [{ kind: 'added', text: `${noun} ${entry.text}` }], rest: [] }
      : fieldChanges(`${noun} ${entry.name}`, was.fields, entry.fields)
  })
  const removed = before.filter((entry) => !paired.has(entry))
  const positions = after.flatMap((entry) => pairs.get(entry) ?? []).map((entry) => before.indexOf(entry))
  const isMoved = positions.some((position, index) => index > 0 && position < positions[index - 1]!)
  return together([
    ...parts,
    ...removed.map((entry): DataChanges => {
      return { changes: [{ kind: 'removed', text: `${noun} ${entry.text}` }], rest: [] }
    }),
    {
      changes: isMoved ? [{ kind: 'changed', text: `${plurals[noun]} are in a different order` }] : [],
      rest: [],
    },
  ])
}

const plurals: Readonly<Record<string, string>> = { Series: 'Series', Symbol: 'Symbols', Column: 'Columns' }

/** Pairs entries with earlier ones by their most specific common key, each once. */
function matchEntries(before: readonly Entry[], after: readonly Entry[]): Map<Entry, Entry> {
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

/** Returns the differing fields in one sentence; lists and objects remain as stored. */
function fieldChanges(name: string, before: Stored, after: Stored): DataChanges {
  const texts: string[] = []
  const rest: FieldChange[] = []
  for (const field of Object.keys({ ...before, ...after })) {
    const [was, is] = [ownValue(before, field), ownValue(after, field)]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const label = partLabel(field)
    if (isSingle(was) && isSingle(is))
      texts.push(
        `${label.charAt(0).toLowerCase()}${label.slice(1)} from ${singleText(was)} to ${singleText(is)}`,
      )
    else rest.push({ path: `${name} › ${label}`, before: was, after: is })
  }
  return {
    changes: texts.length === 0 ? [] : [{ kind: 'changed', text: `${name}: ${texts.join(', ')}` }],
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
