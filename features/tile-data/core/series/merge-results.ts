import type { DataPrepSymbols } from '../../contract/index.ts'
import { symbolSignature } from './series-name.ts'
import { resultColumns, type SeriesResult } from './series-result.ts'

/**
 * Splits series into batches in which each symbol belongs to one group only, because a result does not contain the group of a row. Usually
 * there is one batch.
 */
export function splitByGroup<Entry extends Pick<DataPrepSymbols, 'groupName' | 'symbols'>>(
  symbols: readonly Entry[],
): Entry[][] {
  const batches: { owners: Map<string, string>; entries: Entry[] }[] = []
  for (const entry of symbols) {
    const signature = symbolSignature('', entry.symbols)
    const fitting = batches.find(
      ({ owners }) => (owners.get(signature) ?? entry.groupName) === entry.groupName,
    )
    const batch = fitting ?? { owners: new Map<string, string>(), entries: [] as Entry[] }
    if (fitting === undefined) batches.push(batch)
    batch.owners.set(signature, entry.groupName)
    batch.entries.push(entry)
  }
  return batches.map(({ entries }) => entries)
}

/** Merges results into one with all symbol keys, the date and all values, newest rows first. */
export function mergeResults(results: readonly SeriesResult[]): SeriesResult {
  const [first, ...others] = results
  if (first === undefined) return { header: [], rows: [], limited: false }
  if (others.length === 0) return first
  const columns = results.map((result) => resultColumns(result))
  const inOrder = ['symbol', 'time', 'value'].flatMap((part) => [
    ...new Set(
      results.flatMap(({ header }, which) =>
        columns[which]!.filter(({ kind }) => partOf(kind) === part).map(({ index }) => header[index]!),
      ),
    ),
  ])
  const rows = results.flatMap(({ header, rows: own }) => {
    const positions = inOrder.map((name) => header.indexOf(name))
    return own.map((row) => positions.map((position) => (position === -1 ? '' : row[position]!)))
  })
  const date = inOrder.findIndex((name) => name.startsWith('Date('))
  if (date !== -1) rows.sort((a, b) => (a[date]! < b[date]! ? 1 : a[date]! > b[date]! ? -1 : 0))
  return { header: inOrder, rows, limited: results.some(({ limited }) => limited) }
}

function partOf(kind: string): string {
  return kind === 'symbol' || kind === 'time' ? kind : 'value'
}
