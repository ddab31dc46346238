import { useMemo } from 'react'
import { useInsightData } from '@headwater/tiles/web'
import { filledText, placeholderValues, type AppliedSet } from '@headwater/tiles/core'

/** What is applied of the input parameters of an insight. */
export interface AppliedParams {
  /** The sets in their order, each with what is chosen in it. */
  sets: readonly AppliedSet[]
  /** The chosen values by the label of their field, as people read them. */
  values: ReadonlyMap<string, string>
  /** A text in which `{{label}}` is the value of the field of that label. */
  fill: (text: string) => string
}

/** What is applied of the input parameters of the insight around; without one, nothing. */
export function useAppliedParams(): AppliedParams {
  const { sets } = useInsightData()
  return useMemo(
    () => ({
      sets,
      values: placeholderValues(sets),
      fill: (text) => filledText(text, sets, undefined),
    }),
    [sets],
  )
}
