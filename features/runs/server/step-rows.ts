import type { PlannedStep } from './runs-store.ts'

/** Returns the steps of a new run as `start_run` takes them: with the links from each step to those after it. */
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
  /** Whether a step waits for one before it. The start of the run removes the links from other branches of ended steps. */
  const isWaitedFor = (before: number, branch: string | undefined) => {
    const step = byNumber.get(before)
    if (step?.ended === undefined) return step !== undefined
    return step.ended.branch !== undefined && branch !== undefined && branch !== step.ended.branch
  }
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
    payload,
    ...ended,
  }))
}
