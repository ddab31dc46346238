import { answerColumns, fitsPattern, symbolsIn } from '../../series/series-answer.ts'
import { symbolName } from '../../series/series-name.ts'
import type { LoadedAnswer } from '../../series/loaded-answer.ts'
import type { SeriesData } from './chart-data.ts'

/** Lines that one dynamic series becomes at most. */
export const maxFoundLines = 50

/**
 * The series of a chart with the symbols that came for them: a `*` in a symbol stands for those that were found. A
 * dynamic series becomes a line for each of them, and for each column of numbers when it names none.
 * @param options `fromElsewhere`: the data come from no question of the tile itself, so a series that names no symbols
 *   means all of them
 */
export function foundSeries<Series extends SeriesData & { color?: unknown }>(
  series: readonly Series[],
  answers: readonly LoadedAnswer[],
  { fromElsewhere }: { fromElsewhere: boolean },
): Series[] {
  return series.flatMap((each) => {
    const isOpen = each.symbolList.some((symbols) =>
      Object.values(symbols).some((text) => text.includes('*')),
    )
    const isDynamic = each.dynamic === true
    if (!isOpen && !isDynamic && !(fromElsewhere && each.symbolList.length === 0)) return [each]
    const own = answers.filter(({ groupNames }) => each.groupName === '' || groupNames.has(each.groupName))
    const symbols = own.flatMap(({ answer }) => symbolsIn(answer)).filter((symbol) => wanted(symbol, each))
    if (!isDynamic) return [{ ...each, symbolList: symbols.filter((symbol) => symbolName(symbol) !== '') }]
    const columns = each.column === '' ? numberColumns(own) : [each.column]
    const lines = symbols.flatMap((symbol) => columns.map((column) => ({ symbol, column })))
    return lines.slice(0, maxFoundLines).map(({ symbol, column }, index): Series => {
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
  })
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
