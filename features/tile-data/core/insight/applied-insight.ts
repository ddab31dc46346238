import { basketOf } from '../basket/basket.ts'
import type { InsightContent } from '../../contract/index.ts'
import { paramSetsOf } from '../params/param-set.ts'
import { chosenValues, rangeInText } from '../params/param-values.ts'
import type { AppliedInsight } from './applied-tile.ts'

/** Choices of a user on the page of an insight, in the form of a request. */
export interface PageChoices {
  /** Values by the id of the set, then by the name of the field. */
  parameters: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Range of the page, for example `LAST 30 DAYS`. Default: as configured. */
  range?: string | undefined
  /** Basket that replaces the stored one, in the form of the definition. */
  basket?: unknown
}

/** Applies the choices of a page to an insight. Choices for unknown sets are ignored. */
export function appliedInsight(
  content: InsightContent,
  { parameters, range, basket }: PageChoices,
): AppliedInsight {
  const sets = paramSetsOf(content).map((set) => ({
    set,
    chosen: chosenValues(set, Object.hasOwn(parameters, set.id) ? parameters[set.id]! : {}),
  }))
  return {
    content,
    sets,
    basket: basketOf(basket === undefined ? content : { ...content, basket }),
    range: range === undefined ? undefined : rangeInText(range),
  }
}
