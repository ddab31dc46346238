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
 * @param given `withSeries`: whether values of series are deleted with a file. The entries use the file or its series; those that
 *   select series by a pattern are not listed. `isOne`: whether one object will be deleted, default true
 */
export function dependentsText({
  entries,
  totalSize,
  hidden,
  withSeries = false,
  isOne = true,
}: {
  entries: readonly Pick<UsageEntry, 'kind' | 'name'>[]
  totalSize: number
  hidden: number
  withSeries?: boolean | undefined
  isOne?: boolean
}): string {
  const isUsed = totalSize + hidden > 0
  const pronoun = isOne ? 'it' : 'them'
  if (withSeries) {
    const [files, their] = isOne ? ['the file', 'its'] : ['the files', 'their']
    const used = `${files} or ${their} series`
    const usedBy = isUsed
      ? usedByText(entries, totalSize, hidden, { pronoun, effect: `${used} and will lose the deleted data` })
      : `Nothing uses ${used} by name.`
    return `${usedBy} Objects that select ${their} series by a pattern are not listed.`
  }
  return isUsed
    ? usedByText(entries, totalSize, hidden, { pronoun, effect: `${pronoun} and will stop working` })
    : `Nothing else uses ${pronoun}.`
}

function usedByText(
  entries: readonly Pick<UsageEntry, 'kind' | 'name'>[],
  totalSize: number,
  hidden: number,
  { pronoun, effect }: { pronoun: 'it' | 'them'; effect: string },
): string {
  const others = `${countOf(hidden, 'object')} that you cannot read`
  const use = hidden === 1 ? 'uses' : 'use'
  if (totalSize === 0) return `${others} ${use} ${effect}.`
  const names = entries.slice(0, maxNames).map(({ name }) => `“${name}”`)
  const further = totalSize - names.length
  const listed = list([...names, ...(further > 0 ? [countOf(further, 'other')] : [])])
  const uses = totalSize === 1 ? 'uses' : 'use'
  const sentence = `${countsOf(entries, totalSize)} ${uses} ${effect}: ${listed}.`
  return hidden === 0 ? sentence : `${sentence} ${others} also ${use} ${pronoun}.`
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
