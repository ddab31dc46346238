import type { ChartTile } from '@headwater/tile-data/core'
import type { FormItems } from '@headwater/web-kit'

/** Number of lines when the range is turned on: the newest year and the year before. */
const linesOverRange = 2

/** The settings of a seasonality chart. */
export const seasonItems: FormItems<ChartTile> = [
  { field: 'seasonality', label: 'First month of the year' },
  {
    field: 'seasonRange',
    label: 'Five-year range',
    hint: 'A band from the lowest to the highest value of the five years before the newest one. Requires data in at least two of these years.',
    change: (seasonRange, { seasonLines }) => ({
      seasonRange,
      // All years as lines would hide the band.
      ...(seasonRange && seasonLines === undefined ? { seasonLines: linesOverRange } : {}),
    }),
  },
  { field: 'seasonAverage', label: 'Five-year average' },
  { field: 'seasonLines', label: 'Years shown as lines', placeholder: 'all' },
]
