import { formatNumber } from '@headwater/contract'
import { answerColumns, fitsPattern, symbolsIn } from '../../series/series-answer.ts'
import { symbolName } from '../../series/series-name.ts'
import type { LoadedAnswer } from '../../series/loaded-answer.ts'
import type { SeriesData } from './chart-data.ts'

/** Lines that one dynamic series becomes at most. */
export const maxFoundLines = 50

interface Options {
  /** Whether the data come from no question of the tile itself, so that a series that names no symbols means all of them. */
  fromElsewhere: boolean
}

/**
 * The series of a chart with the symbols that came for them: a `*` in a symbol stands for those that were found. A
 * dynamic series becomes a line for each of them, and for each column of numbers when it names none.
 */
export function foundSeries<Series extends SeriesData & { color?: unknown }>(
  series: readonly Series[],
  answers: readonly LoadedAnswer[],
  options: Options,
): Series[] {
  return series.flatMap((each) => {
    if (each.dynamic === true) return dynamicLines(each, answers).slice(0, maxFoundLines)
    const isOpen = each.symbolList.some((symbols) =>
      Object.values(symbols).some((text) => text.includes('*')),
    )
    if (!isOpen && !(options.fromElsewhere && each.symbolList.length === 0)) return [each]
    const symbols = symbolsOf(each, answers).filter((symbol) => symbolName(symbol) !== '')
    return [{ ...each, symbolList: symbols }]
  })
}

/** How many of the lines of its dynamic series a chart draws; undefined when it draws all of them. */
export function cutLines(
  series: readonly SeriesData[],
  answers: readonly LoadedAnswer[],
): { shown: number; total: number } | undefined {
  const counts = series
    .filter(({ dynamic }) => dynamic === true)
    .map((each) => symbolsOf(each, answers).length * columnsOf(each, answers).length)
  const sum = (numbers: number[]) => numbers.reduce((total, count) => total + count, 0)
  const shown = sum(counts.map((count) => Math.min(count, maxFoundLines)))
  const total = sum(counts)
  return shown < total ? { shown, total } : undefined
}

/** What of its lines a chart leaves out, in words: `50 of 120 lines shown`. */
export function cutLinesText({ shown, total }: { shown: number; total: number }): string {
  return `${formatNumber(shown)} of ${formatNumber(total)} lines shown`
}

function dynamicLines<Series extends SeriesData & { color?: unknown }>(
  each: Series,
  answers: readonly LoadedAnswer[],
): Series[] {
  const columns = columnsOf(each, answers)
  const lines = symbolsOf(each, answers).flatMap((symbol) => columns.map((column) => ({ symbol, column })))
  return lines.map(({ symbol, column }, index): Series => {
    const name = [symbolName(symbol), columns.length > 1 || symbolName(symbol) === '' ? column : '']
    return {
      ...each,
      dynamic: false,
      symbolList: symbolName(symbol) === '' ? [] : [symbol],
      column,
      label: [each.label, ...name].filter((text) => text !== '').join(' '),
      ...(index === 0 ? {} : { color: undefined }),
    }
  })
}

function answersOf({ groupName }: SeriesData, answers: readonly LoadedAnswer[]): LoadedAnswer[] {
  return answers.filter(({ groupNames }) => groupName === '' || groupNames.has(groupName))
}

function symbolsOf(each: SeriesData, answers: readonly LoadedAnswer[]): Record<string, string>[] {
  return answersOf(each, answers)
    .flatMap(({ answer }) => symbolsIn(answer))
    .filter((symbol) => wanted(symbol, each))
}

function columnsOf(each: SeriesData, answers: readonly LoadedAnswer[]): string[] {
  return each.column === '' ? numberColumns(answersOf(each, answers)) : [each.column]
}

function wanted(symbol: Record<string, string>, { symbolList }: SeriesData): boolean {
  return symbolList.length === 0 || symbolList.some((pattern) => fitsPattern(symbol, pattern))
}

function numberColumns(answers: readonly LoadedAnswer[]): string[] {
  const names = answers.flatMap(({ answer }) =>
    answerColumns(answer).flatMap(({ name, kind }) => (kind === 'number' ? [name] : [])),
  )
  return [...new Set(names)]
}
