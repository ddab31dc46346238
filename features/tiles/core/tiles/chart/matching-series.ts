import { formatNumber } from '@headwater/contract'
import { answerColumns, symbolMatcher, symbolsIn } from '../../series/series-result.ts'
import { symbolName } from '../../series/series-name.ts'
import type { LoadedAnswer } from '../../series/loaded-result.ts'
import type { SeriesData } from './chart-data.ts'

/** Lines that one dynamic series becomes at most. */
export const maxFoundLines = 50

interface Options {
  /** Whether the data come from no question of the tile itself, so that a series that names no symbols means all of them. */
  fromElsewhere: boolean
}

/** The series of a chart as it draws them, and how many of the lines of its dynamic series. */
export interface FoundSeries<Series> {
  series: Series[]
  /** Undefined when it draws all of them. */
  cut: { shown: number; total: number } | undefined
}

/**
 * The series of a chart with the symbols that came for them: a `*` in a symbol stands for those that were found. A
 * dynamic series becomes a line for each of them, and for each column of numbers when it names none.
 */
export function foundSeries<Series extends SeriesData & { color?: unknown }>(
  series: readonly Series[],
  answers: readonly LoadedAnswer[],
  options: Options,
): FoundSeries<Series> {
  let shown = 0
  let total = 0
  const found = series.flatMap((each) => {
    if (each.dynamic === true) {
      const { lines, count } = dynamicLines(each, answers)
      shown += lines.length
      total += count
      return lines
    }
    const isOpen = each.symbolList.some((symbols) =>
      Object.values(symbols).some((text) => text.includes('*')),
    )
    if (!isOpen && !(options.fromElsewhere && each.symbolList.length === 0)) return [each]
    const symbols = symbolsOf(each, answers).filter((symbol) => symbolName(symbol) !== '')
    return [{ ...each, symbolList: symbols }]
  })
  return { series: found, cut: shown < total ? { shown, total } : undefined }
}

/** What of its lines a chart leaves out, in words: `50 of 120 lines shown`. */
export function cutLinesText({ shown, total }: { shown: number; total: number }): string {
  return `${formatNumber(shown)} of ${formatNumber(total)} lines shown`
}

/** The lines that a dynamic series becomes, and how many there would be without the limit. */
function dynamicLines<Series extends SeriesData & { color?: unknown }>(
  each: Series,
  answers: readonly LoadedAnswer[],
): { lines: Series[]; count: number } {
  const columns = columnsOf(each, answers)
  const all = symbolsOf(each, answers).flatMap((symbol) => columns.map((column) => ({ symbol, column })))
  const lines = all.slice(0, maxFoundLines).map(({ symbol, column }, index): Series => {
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
  return { lines, count: all.length }
}

function answersOf({ groupName }: SeriesData, answers: readonly LoadedAnswer[]): LoadedAnswer[] {
  return answers.filter(({ groupNames }) => groupName === '' || groupNames.has(groupName))
}

function symbolsOf(each: SeriesData, answers: readonly LoadedAnswer[]): Record<string, string>[] {
  const symbols = answersOf(each, answers).flatMap(({ answer }) => symbolsIn(answer))
  const wanted = each.symbolList.map(symbolMatcher)
  return wanted.length === 0 ? symbols : symbols.filter((symbol) => wanted.some((fits) => fits(symbol)))
}

function columnsOf(each: SeriesData, answers: readonly LoadedAnswer[]): string[] {
  return each.column === '' ? numberColumns(answersOf(each, answers)) : [each.column]
}

function numberColumns(answers: readonly LoadedAnswer[]): string[] {
  const names = answers.flatMap(({ answer }) =>
    answerColumns(answer).flatMap(({ name, kind }) => (kind === 'number' ? [name] : [])),
  )
  return [...new Set(names)]
}
