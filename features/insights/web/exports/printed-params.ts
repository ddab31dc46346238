import { type AppliedSet, placeholderValues } from '../../contract/params/bind-tile.ts'
import type { ChosenRange } from '../../contract/params/param-values.ts'

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

function rangeWords({ range, from, to, lastType, lastTypeAmount }: ChosenRange): string {
  if (range === 'ALL') return 'all'
  if (range === 'LAST') return `last ${lastTypeAmount} ${lastType.toLowerCase()}`
  return `${from || 'the beginning'} to ${to || 'the end'}`
}
