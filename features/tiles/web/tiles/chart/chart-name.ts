import type { Tile } from '@headwater/tile-data/contract'

/** Labels of the kinds of charts. */
export const chartNames = { composed: 'Advanced chart', seasonality: 'Seasonality chart' } as const

/** Returns the label of a chart. An unknown kind counts as an advanced chart. */
export function chartName({ basicChartType }: Tile): string {
  return basicChartType === 'seasonality' ? chartNames.seasonality : chartNames.composed
}
