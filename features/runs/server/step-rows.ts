import type { PlannedStep } from './runs-store.ts'

/** Maximum number of steps in a chain. A crash repeats at most this many steps. */
const maxChainSteps = 50

/** Returns the steps of a new run in the format that `start_run` expects, with the links from each step to the next ones. */
export function stepRows(steps: readonly (PlannedStep & { payload: object })[]): object[] {
  const byNumber = new Map(steps.map((step) => [step.number, step]))
  const children = new Map<number, number[]>(steps.map(({ number }) => [number, []]))
  const branchesOf = new Map<number, Record<string, number[]>>()
  for (const { number, after, branches = {} } of steps)
    for (const before of new Set(after)) {
      children.get(before)?.push(number)
      const branch = branches[before]
      if (branch === undefined) continue
      const known = branchesOf.get(before) ?? {}
      branchesOf.set(before, { ...known, [branch]: [...(known[branch] ?? []), number] })
    }
  /**
   * Returns whether a step waits for a previous one. At the start of a run, links from unselected branches of ended steps
   * are removed.
   */
  const isWaitedFor = (before: number, branch: string | undefined) => {
    const step = byNumber.get(before)
    if (step?.ended === undefined) return step !== undefined
    return step.ended.branch !== undefined && branch !== undefined && branch !== step.ended.branch
  }
  const chains = chainsOf(steps, { byNumber, children, branchesOf })
  return steps.map(({ number, eId, task, jobKind, after, branches = {}, needs, payload, ended }) => ({
    number,
    eId,
    prevEId: after.length === 0 ? null : byNumber.get(Math.max(...after))?.eId,
    task,
    jobKind,
    waitsFor: [...new Set(after)].filter((before) => isWaitedFor(before, branches[before])).length,
    children: children.get(number),
    branches: branchesOf.get(number),
    links: new Set(after).size,
    needs,
    chain: chains.get(number),
    payload,
    ...ended,
  }))
}

/**
 * Returns, for each fused step, the numbers of the steps that follow it in its chain, if any. A chain consists of steps with a
 * single previous and a single next step, without branches, pauses or results of earlier runs.
 */
function chainsOf(
  steps: readonly PlannedStep[],
  links: {
    byNumber: ReadonlyMap<number, PlannedStep>
    children: ReadonlyMap<number, readonly number[]>
    branchesOf: ReadonlyMap<number, object>
  },
): Map<number, number[]> {
  const chains = new Map<number, number[]>()
  const isFused = ({ task, ended }: PlannedStep) => task.isFused === true && ended === undefined
  const nextOf = ({ number }: PlannedStep): PlannedStep | undefined => {
    const [child, ...others] = links.children.get(number) ?? []
    const next = child === undefined || others.length > 0 ? undefined : links.byNumber.get(child)
    if (next === undefined || links.branchesOf.has(number)) return undefined
    return isFused(next) && !next.task.isPaused && new Set(next.after).size === 1 ? next : undefined
  }
  const collect = (step: PlannedStep): number[] => {
    const known = chains.get(step.number)
    if (known !== undefined) return known
    const next = isFused(step) ? nextOf(step) : undefined
    const chain = next === undefined ? [] : [next.number, ...collect(next)].slice(0, maxChainSteps - 1)
    if (chain.length > 0) chains.set(step.number, chain)
    return chain
  }
  for (const step of steps.toReversed()) collect(step)
  return chains
}
