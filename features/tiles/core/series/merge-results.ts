import type { DataPrepSymbols } from '../../contract/index.ts'
import { symbolSignature } from './series-name.ts'
import { answerColumns, type SeriesAnswer } from './series-result.ts'

/**
 * Splits what a tile asks for into questions within which a symbol belongs to one group only, since an answer does not
 * say which group a row came from. Nearly always that is one question.
 */
export function splitByGroup<Entry extends Pick<DataPrepSymbols, 'groupName' | 'symbols'>>(
  symbols: readonly Entry[],
): Entry[][] {
  const questions: { owners: Map<string, string>; entries: Entry[] }[] = []
  for (const entry of symbols) {
    const signature = symbolSignature('', entry.symbols)
    const fitting = questions.find(
      ({ owners }) => (owners.get(signature) ?? entry.groupName) === entry.groupName,
    )
    const question = fitting ?? { owners: new Map<string, string>(), entries: [] as Entry[] }
    if (fitting === undefined) questions.push(question)
    question.owners.set(signature, entry.groupName)
    question.entries.push(entry)
  }
  return questions.map(({ entries }) => entries)
}

/** One answer of several: symbol keys, the date and the values of all of them, rows by time, newest first. */
export function mergeAnswers(answers: readonly SeriesAnswer[]): SeriesAnswer {
  const [first, ...others] = answers
  if (first === undefined) return { header: [], rows: [], limited: false }
  if (others.length === 0) return first
  const columns = answers.map((answer) => answerColumns(answer))
  const inOrder = ['symbol', 'time', 'value'].flatMap((part) => [
    ...new Set(
      answers.flatMap(({ header }, which) =>
        columns[which]!.filter(({ kind }) => partOf(kind) === part).map(({ index }) => header[index]!),
      ),
    ),
  ])
  const rows = answers.flatMap(({ header, rows: own }) => {
    const places = inOrder.map((name) => header.indexOf(name))
    return own.map((row) => places.map((place) => (place === -1 ? '' : row[place]!)))
  })
  const date = inOrder.findIndex((name) => name.startsWith('Date('))
  if (date !== -1) rows.sort((a, b) => (a[date]! < b[date]! ? 1 : a[date]! > b[date]! ? -1 : 0))
  return { header: inOrder, rows, limited: answers.some(({ limited }) => limited) }
}

function partOf(kind: string): string {
  return kind === 'symbol' || kind === 'time' ? kind : 'value'
}
