import { parseJson } from '@headwater/contract'
import { objectValue, seriesValue } from '@headwater/tasks/core'

/** Returns a value as users read it: the items of a list, the name of a file or data prep, the symbol and column of a series. */
export function valueText(value: string): string {
  const json = /^\s*[[{]/.test(value) ? parseJson(value) : undefined
  if (json === undefined) return value
  if (Array.isArray(json))
    return json.every((item) => typeof item === 'string' || typeof item === 'number')
      ? json.join(', ')
      : value
  const series = seriesValue.safeParse(json).data
  if (series !== undefined) return `${Object.values(series.symbols).join(', ')} · ${series.column}`
  return objectValue.safeParse(json).data?.name ?? value
}
