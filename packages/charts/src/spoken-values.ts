import type { ChartFormatter } from './formatter.ts'
import type { Model } from './model.ts'
import { readAt } from './reading.ts'

/** Maximum series that a screen reader announces at once. */
const SPOKEN = 12

/** Returns the text that a screen reader announces for the values at an x. */
export function spokenValues(model: Model, x: number, formatter: ChartFormatter): string {
  const values = readAt(model, x)
    .slice(0, SPOKEN)
    .map((reading) => {
      const value = reading.value === reading.value ? formatter.value(reading) : 'no value'
      return `${reading.series.label} ${value}`
    })
  return `${formatter.x(x)}: ${values.join(', ')}`
}
