import { formatNumber } from '@headwater/web-kit'
import { formatSymbolParameter, type SymbolGroup } from '../contract/index.ts'
import type { TreePlace, TreeStep } from './symbols-client.ts'

/** A line of the tree of symbols, as it is drawn. */
export type TreeLine = { id: string; level: number } & (
  | {
      kind: 'place'
      /** Absent for all groups together. */
      place?: TreePlace
      /** The value, or the name of the group; empty for symbols without the key. */
      label: string
      /** The key whose value it is. */
      keyName?: string
      /** Number of symbols. */
      count?: number
      /** Undefined when nothing lies below. */
      isOpen?: boolean
    }
  | { kind: 'wait' }
  | { kind: 'error'; error: Error }
  | { kind: 'rest'; label: string }
)

/** Id of a place among all lines. */
export function idOf({ groupName, branch }: TreePlace): string {
  return `${groupName}/${formatSymbolParameter(branch)}`
}

/** The place itself and all places around it, the outermost first. */
export function placesAround({ groupName, branch }: TreePlace): TreePlace[] {
  const pairs = Object.entries(branch)
  return Array.from({ length: pairs.length + 1 }, (_, count) => ({
    groupName,
    branch: Object.fromEntries(pairs.slice(0, count)),
  }))
}

/** The lines of the tree, each place above what lies below it. `steps` has the places that are open, by their id. */
export function treeLines(groups: readonly SymbolGroup[], steps: ReadonlyMap<string, TreeStep>): TreeLine[] {
  return groups.flatMap(({ groupName, symbolCount }) =>
    linesOf({ groupName, branch: {} }, { label: groupName, count: symbolCount }, 1, true),
  )

  function linesOf(
    place: TreePlace,
    about: { label: string; count: number; keyName?: string },
    level: number,
    hasBelow: boolean,
  ): TreeLine[] {
    const id = idOf(place)
    const step = hasBelow ? steps.get(id) : undefined
    const line: TreeLine = {
      id,
      level,
      kind: 'place',
      place,
      ...about,
      ...(hasBelow ? { isOpen: step !== undefined } : {}),
    }
    return step === undefined ? [line] : [line, ...below(place, step, level + 1)]
  }

  function below(place: TreePlace, step: TreeStep, level: number): TreeLine[] {
    const id = idOf(place)
    const { key, branches, total, error } = step
    if (error !== null) return [{ id: `${id} error`, level, kind: 'error', error }]
    if (key === undefined || branches === undefined) return [{ id: `${id} wait`, level, kind: 'wait' }]
    const lines = branches.flatMap(({ value, symbolCount }) =>
      linesOf(
        { groupName: place.groupName, branch: { ...place.branch, [key]: value } },
        { label: value, count: symbolCount, keyName: key },
        level,
        symbolCount > 1 && !step.isLastKey,
      ),
    )
    const rest = total - branches.length
    if (rest <= 0) return lines
    return [
      ...lines,
      { id: `${id} rest`, level, kind: 'rest', label: `${formatNumber(rest)} more; use the filters` },
    ]
  }
}
