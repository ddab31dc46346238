import { countOf } from '@headwater/contract'
import type { InsightVersion, VersionChanges } from '../../contract/index.ts'
import { partLabel } from './part-label.ts'

/** Returns a summary of the changes of a version. */
export function whatChanged({ changes, readable, tiles, version }: InsightVersion): string {
  if (!readable) return 'The definition cannot be read'
  if (changes === null)
    return version === 1 ? `First version, ${countOf(tiles, 'tile')}` : countOf(tiles, 'tile')
  const parts = partsOf(changes)
  return parts.length === 0 ? 'No changes to tiles or settings' : parts.join(', ')
}

function partsOf(changes: VersionChanges): string[] {
  const { added, removed, changed, reordered, renamedFrom, moved, rest } = changes
  const named = (titles: readonly string[], verb: string) =>
    titles.length === 0
      ? []
      : [`${titles.length > 2 ? countOf(titles.length, 'tile') : titles.map(quoted).join(' and ')} ${verb}`]
  return [
    ...(renamedFrom === null ? [] : [`renamed from ${quoted(renamedFrom)}`]),
    ...(moved ? ['moved from another group'] : []),
    ...named(added, 'added'),
    ...named(changed, 'changed'),
    ...named(removed, 'removed'),
    ...(reordered ? ['tiles reordered'] : []),
    ...rest.map((part) => partLabel(part).toLowerCase()),
  ]
}

function quoted(title: string): string {
  return `“${title || 'Untitled'}”`
}
