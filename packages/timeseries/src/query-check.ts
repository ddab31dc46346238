import { checkClock } from './clock-sql.ts'
import { checkAggregate } from './column-functions.ts'
import { positiveInteger } from './dataset-tables.ts'
import { drawPointLimits } from './query-options.ts'
import { checkFill } from './fill-sql.ts'
import { checkFormulas } from './formula-check.ts'
import { checkResample } from './resample-sql.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'

const maxSelections = 1000
/** Maximum number of variants. It is limited because the engine plans each of them separately. */
const maxVariants = 100

/**
 * Checks a query.
 * @throws SeriesEngineError `invalid` for numbers outside their range, and for options that cannot be combined
 */
export function checkQuery(query: SeriesQuery): void {
  const { limit, offset, drawPoints, selections } = query
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw refusal(`The ${name} is ${value}; it must be a whole number from 0.`)
    }
  }
  const withSeries = selections.filter(({ series }) => !Array.isArray(series) || series.length > 0)
  if (withSeries.length > maxSelections) {
    throw refusal(
      `The query has ${withSeries.length} different sets of columns, offsets and fillings; at most ${maxSelections} are allowed. Split it into several queries.`,
    )
  }
  const variants = new Set(withSeries.map(({ shift, fill }) => JSON.stringify([shift, fill])))
  if (variants.size > maxVariants) {
    throw refusal(
      `The query has ${variants.size} different offsets and fillings; at most ${maxVariants} are allowed. Split it into several queries.`,
    )
  }
  for (const selection of selections) {
    for (const { id } of selection.columns) positiveInteger(id, 'column')
    if (selection.fill) checkFill(selection.fill)
    for (const end of [selection.limits?.from, selection.limits?.to])
      if (end !== undefined && !Number.isSafeInteger(end)) throw refusal('A limit is not a timestamp.')
  }
  checkFormulas(selections)
  const isCurrent = (query.corrections ?? 'false') === 'false'
  if (!isCurrent && selections.some(({ fill }) => fill)) {
    throw refusal('Gaps can be filled only without corrections.')
  }
  if ((!isCurrent || query.delta) && selections.some(({ shift }) => shift)) {
    throw refusal('Timestamps can be moved only without corrections and not with a range by insertion time.')
  }
  if (drawPoints !== undefined) {
    if (
      !Number.isInteger(drawPoints) ||
      drawPoints < drawPointLimits.min ||
      drawPoints > drawPointLimits.max
    ) {
      throw refusal(
        `drawPoints is ${drawPoints}; it must be a whole number from ${drawPointLimits.min} to ${drawPointLimits.max}.`,
      )
    }
    if (query.format !== 'UI' && (query.format ?? 'NCSV') !== 'NCSV') {
      throw refusal(`drawPoints is supported by the formats UI and NCSV, not by ${query.format}.`)
    }
    if (query.layout === 'columns') throw refusal('drawPoints cannot be combined with column layout.')
    if (offset) throw refusal('drawPoints cannot be combined with an offset.')
  }
  if ([query.window?.from, query.window?.to].some(Number.isNaN)) {
    throw refusal('An end of the window is not a timestamp.')
  }
  checkClock(query)
  if (query.resample) {
    checkResample(query.resample)
    const contradiction = Object.entries({
      corrections: !isCurrent,
      drawPoints: drawPoints !== undefined,
      'filled gaps': selections.some(({ fill }) => fill),
      'column layout': query.layout === 'columns',
      'version texts': query.versionTexts !== undefined,
    }).find(([, isRequested]) => isRequested)
    if (contradiction) throw refusal(`Spans of time (resample) cannot be combined with ${contradiction[0]}.`)
  }
  if (query.aggregate) {
    checkAggregate(query.aggregate)
    const contradiction = Object.entries({
      corrections: !isCurrent,
      metadata: (query.metadataColumns ?? []).length > 0,
      'version texts': query.versionTexts !== undefined,
    }).find(([, isRequested]) => isRequested)
    if (contradiction)
      throw refusal(`Combined series (aggregate) cannot be combined with ${contradiction[0]}.`)
  }
  if (query.layout === 'columns') {
    if (!isCurrent) throw refusal('Column layout is available only without corrections.')
    if (query.format === 'UI' || query.format === 'PANDAS') {
      throw refusal(
        `Column layout is supported by the formats NCSV, STANDARD and ARROW, not by ${query.format}.`,
      )
    }
  }
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
