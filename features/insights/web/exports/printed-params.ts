import { type AppliedSet, placeholderValues } from '../../contract/params/bind-tile.ts'
import { rangeWords } from '../params/range-words.ts'

/** What is chosen in the sets of input parameters that readers see, by the label of each field, and the range of a set. */
export function printedParams(sets: readonly AppliedSet[]): Map<string, string> {
  const shown = sets.filter(({ set }) => !set.isHidden)
  const values = placeholderValues(shown)
  for (const { set, chosen } of shown)
    if (chosen.range !== undefined)
      values.set(
        shown.length > 1 && set.title !== '' ? `Range of ${set.title}` : 'Range',
        rangeWords(chosen.range),
      )
  return values
}
