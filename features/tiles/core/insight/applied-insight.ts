import { basketOf } from '../basket/basket.ts'
import type { InsightContent } from '../../contract/index.ts'
import { paramSetsOf } from '../params/param-set.ts'
import { chosenValues, rangeInText } from '../params/param-values.ts'
import type { AppliedInsight } from './applied-tile.ts'

/** What somebody chose on the page of an insight, as it is sent. */
export interface PageChoices {
  /** Values by the id of the set, then by the name of the field. */
  parameters: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Range of the page in words; absent = as configured. */
  range?: string | undefined
  /** Basket in place of the stored one, in the form of the definition. */
  basket?: unknown
}

/** An insight with what was chosen on its page. Choices for sets that it does not have are ignored. */
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
