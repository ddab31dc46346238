import type { Tile } from '../../../contract/index.ts'

/** What the two kinds of charts are called wherever users meet them. */
export const chartNames = { composed: 'Advanced chart', seasonality: 'Seasonality chart' } as const

/** What a chart is called; one of an unknown kind is drawn, and so called, as an advanced chart. */
export function chartName({ basicChartType }: Tile): string {
  return basicChartType === 'seasonality' ? chartNames.seasonality : chartNames.composed
}
