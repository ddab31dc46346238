import { countOf } from '@headwater/contract'
import type { UsageEntry } from './use-usage.ts'

/** Maximum number of names in a note. */
const maxNames = 5

/** Names of kinds. */
export const kindLabels: Record<UsageEntry['kind'], string> = {
  pipeline: 'Pipeline',
  task: 'Task',
  'data-prep': 'Data prep',
  insight: 'Insight',
  'insight-template': 'Template',
  formula: 'Formula',
}

/**
 * Returns the sentences about what uses an object that will be deleted.
 * @param given `withSeries`: whether values of series are deleted with a file. What uses only the series is not listed.
 */
export function dependentsText({
  entries,
  totalSize,
  hidden,
  withSeries = false,
}: {
  entries: readonly Pick<UsageEntry, 'kind' | 'name'>[]
  totalSize: number
  hidden: number
  withSeries?: boolean | undefined
}): string {
  if (withSeries) {
    const users =
      totalSize + hidden === 0 ? 'Nothing uses the file itself.' : usersText(entries, totalSize, hidden)
    return `${users} Insights, data preps and formulas with its series lose the deleted values.`
  }
  return totalSize + hidden === 0 ? 'Nothing else uses it.' : usersText(entries, totalSize, hidden)
}

function usersText(
  entries: readonly Pick<UsageEntry, 'kind' | 'name'>[],
  totalSize: number,
  hidden: number,
): string {
  const others = `${countOf(hidden, 'object')} that you cannot read ${hidden === 1 ? 'uses' : 'use'} it`
  if (totalSize === 0) return `${others} and will stop working.`
  const names = entries.slice(0, maxNames).map(({ name }) => `“${name}”`)
  const further = totalSize - names.length
  const listed = list([...names, ...(further > 0 ? [countOf(further, 'other')] : [])])
  const uses = totalSize === 1 ? 'uses' : 'use'
  const sentence = `${countsOf(entries, totalSize)} ${uses} it and will stop working: ${listed}.`
  return hidden === 0 ? sentence : `${sentence} ${others}, too.`
}

/** Returns the numbers of entries by kind; if some entries are not loaded, only their total number. */
function countsOf(entries: readonly Pick<UsageEntry, 'kind'>[], totalSize: number): string {
  if (entries.length < totalSize) return countOf(totalSize, 'object')
  const counts = Map.groupBy(entries, ({ kind }) => kind)
  return list([...counts].map(([kind, { length }]) => countOf(length, kindLabels[kind].toLowerCase())))
}

function list(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts)
}
