import { formatNumber } from '@headwater/web-kit'
import { formatSymbolParameter, type SymbolGroup } from '../contract/index.ts'
import type { TreeNode, TreeStep } from './symbols-client.ts'

/** A line of the symbol tree. */
export type TreeLine = { id: string; level: number } & (
  | {
      kind: 'node'
      /** The node of the line; absent for all groups together. */
      node?: TreeNode
      /** Value, or name of the group; empty for symbols without the key. */
      label: string
      /** Key of the value. */
      keyName?: string
      /** Number of symbols. */
      count?: number
      /** Whether the node is open; undefined for a leaf. */
      isOpen?: boolean
    }
  | { kind: 'wait' }
  | { kind: 'error'; error: Error }
  | { kind: 'rest'; label: string }
)

/** Returns the id of a node among all lines. */
export function idOf({ groupName, branch }: TreeNode): string {
  return `${groupName}/${formatSymbolParameter(branch)}`
}

/** Returns a node and its ancestors, the outermost first. */
export function pathTo({ groupName, branch }: TreeNode): TreeNode[] {
  const pairs = Object.entries(branch)
  return Array.from({ length: pairs.length + 1 }, (_, count) => ({
    groupName,
    branch: Object.fromEntries(pairs.slice(0, count)),
  }))
}

/** Returns the lines of the tree, each node before its children. `steps` has the levels of the open nodes, by id. */
export function treeLines(groups: readonly SymbolGroup[], steps: ReadonlyMap<string, TreeStep>): TreeLine[] {
  return groups.flatMap(({ groupName, symbolCount }) =>
    linesOf({ groupName, branch: {} }, { label: groupName, count: symbolCount }, 1, true),
  )

  function linesOf(
    node: TreeNode,
    about: { label: string; count: number; keyName?: string },
    level: number,
    hasBelow: boolean,
  ): TreeLine[] {
    const id = idOf(node)
    const step = hasBelow ? steps.get(id) : undefined
    const line: TreeLine = {
      id,
      level,
      kind: 'node',
      node,
      ...about,
      ...(hasBelow ? { isOpen: step !== undefined } : {}),
    }
    return step === undefined ? [line] : [line, ...below(node, step, level + 1)]
  }

  function below(node: TreeNode, step: TreeStep, level: number): TreeLine[] {
    const id = idOf(node)
    const { key, branches, total, error } = step
    if (error !== null) return [{ id: `${id} error`, level, kind: 'error', error }]
    if (key === undefined || branches === undefined) return [{ id: `${id} wait`, level, kind: 'wait' }]
    const lines = branches.flatMap(({ value, symbolCount }) =>
      linesOf(
        { groupName: node.groupName, branch: { ...node.branch, [key]: value } },
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
