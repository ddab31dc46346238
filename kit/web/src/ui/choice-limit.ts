import type { OptionsFilter } from '@mantine/core'
import { formatNumber } from '@headwater/contract'

/** Maximum number of choices in a list. Typing finds the others. */
const maxChoices = 200

/**
 * A list that exceeds the limit by at most this number is displayed completely, because a note about a few missing choices
 * would not help.
 */
const tolerance = 10

/**
 * Value of the note below an incomplete list. No choice can have this value, because PostgreSQL cannot store NUL
 * characters.
 */
const noteValue = '\u0000note'

/** Facts that determine the choices in a list. */
export interface ChoiceLimit {
  /** Number of matches on the server; undefined if the field has all choices. */
  total?: number | undefined
  /** Whether the server can have more matches than `total`. Default false. */
  totalIsAtLeast?: boolean | undefined
  /** Whether the server filters the choices by the typed text. */
  isSearched: boolean
  /** Whether the response for the typed text is pending. Until it arrives, the field filters the previous choices. */
  isLoading: boolean
}

/** Returns a filter for Mantine that adds a note to an incomplete list: how many choices match, and how to find them. */
export function limitChoices({
  total = 0,
  totalIsAtLeast = false,
  isSearched,
  isLoading,
}: ChoiceLimit): OptionsFilter {
  const isFiltered = isSearched && !isLoading
  return ({ options, search }) => {
    const text = isFiltered ? '' : search.trim().toLowerCase()
    const matches = options.filter(
      (option) => !('label' in option) || option.label.toLowerCase().includes(text),
    )
    const visible = matches.length > maxChoices + tolerance ? matches.slice(0, maxChoices) : matches
    const all = text === '' ? Math.max(total, matches.length) : matches.length
    const isComplete = all <= visible.length || visible.length === 0 || (isSearched && isLoading)
    return isComplete ? visible : [...visible, noteOf(visible.length, all, text === '' && totalIsAtLeast)]
  }
}

/** Returns whether a value belongs to the note of {@link limitChoices}. */
export function isLimitNote(value: string): boolean {
  return value === noteValue
}

function noteOf(visible: number, all: number, isAtLeast: boolean) {
  const label = `First ${formatNumber(visible)} of ${isAtLeast ? 'at least ' : ''}${formatNumber(all)}. Type to search.`
  return { value: noteValue, label, disabled: true }
}
