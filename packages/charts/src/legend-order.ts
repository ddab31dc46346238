import type { Model, SeriesModel } from './model.ts'

/** Returns the series of the legend in order; empty if there is no legend. */
export function legendOrder({ spec, series }: Model): SeriesModel[] {
  if (!(spec.legend?.show ?? series.length > 1)) return []
  const sorting = spec.legend?.sorting
  if (!sorting) return series
  const sign = sorting === 'ASC' ? 1 : -1
  return series.toSorted((a, b) => sign * a.label.localeCompare(b.label, undefined, { numeric: true }))
}
