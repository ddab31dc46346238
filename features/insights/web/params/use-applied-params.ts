import { useMemo } from 'react'
import { useInsightData } from '@headwater/tile-data/web'
import { filledText, placeholderValues, type AppliedSet } from '@headwater/tile-data/core'

/** Applied input parameters of an insight. */
export interface AppliedParams {
  /** The sets in order, each with its chosen values. */
  sets: readonly AppliedSet[]
  /** The chosen values as display texts, by the label of their field. */
  values: ReadonlyMap<string, string>
  /** A text in which `{{label}}` is the value of the field of that label. */
  fill: (text: string) => string
}

/** Returns the applied input parameters of the surrounding insight; none without one. */
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
