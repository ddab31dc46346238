import type { z } from 'zod'
import { AppError } from '@headwater/contract'
import { runErrors } from '@headwater/runs/contract'
import type { StoredRun, StoredStep } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import type { runChange } from '../contract/index.ts'
import { editFile } from './edit-file.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'

/** A change that is applied before a paused run continues. */
export type RunChange = z.output<typeof runChange>

/**
 * Continues a paused run: stores the edited files and then applies the decisions about its paused tasks in order. Without a
 * decision, all paused tasks start except approvals, which require an explicit decision.
 * @throws runNotPaused; approvalNeeded if only approvals are paused and there is no decision; the errors of files
 */
export async function resumeRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  run: StoredRun,
  changes: readonly RunChange[],
): Promise<void> {
  // Otherwise a rejected request could leave a new version of a file behind.
  const paused = (await deps.runs.steps(run.id)).filter(({ state }) => state === 'paused')
  if (paused.length === 0) throw runErrors.runNotPaused()
  const decisions = changes.filter((change) => change.action !== 'FILE_EDIT')
  const startable = paused.filter((step) => !deps.approvals.isApproval(step))
  if (decisions.length === 0 && startable.length === 0) throw await deps.approvals.neededFor(run, paused[0]!)
  for (const decision of decisions) await requireDecidable(deps, principal, run, paused, decision)
  const edits = changes.flatMap((change) => (change.action === 'FILE_EDIT' ? [change.payload] : []))
  for (const { groupName = run.groupName } of edits) await deps.groups.getGroup(principal, groupName, 'RW')
  for (const edit of edits) await editFile(deps, principal, run, edit)
  if (decisions.length === 0) {
    const numbers = startable.map(({ number }) => number)
    const decision = { numbers, isApproved: true, userId: principal.userId, reason: '' }
    if (!(await deps.runs.decide(run.id, decision, deps.clock.now()))) throw runErrors.runNotPaused()
    return
  }
  for (const { action, approveTime, nodeId } of decisions)
    await decide(deps, principal, run, { isApproved: action === 'APPROVE', approveTime, nodeId })
}

/** Throws runNotPaused or approvalNeeded unless the caller can decide at least one of the paused steps. */
async function requireDecidable(
  { approvals }: Pick<RunsServiceDependencies, 'approvals'>,
  principal: Principal,
  run: StoredRun,
  paused: readonly StoredStep[],
  { nodeId }: { nodeId?: string | undefined },
): Promise<void> {
  const steps = paused.filter(({ task }) => nodeId === undefined || task.nodeId === nodeId)
  if (steps.length === 0) throw runErrors.runNotPaused()
  for (const step of steps)
    if (!approvals.isApproval(step) || (await approvals.canDecide(principal, run, step))) return
  throw await approvals.neededFor(run, steps[0]!)
}

/**
 * Approves or declines all paused tasks of a run, or only one. A declined task ends with ERROR. Approvals among these tasks
 * require the decision of their approvers.
 * @throws runNotPaused if there is no such paused task; approvalNeeded if the caller can decide none of them
 */
export async function decide(
  { runs, clock, approvals }: Pick<RunsServiceDependencies, 'runs' | 'clock' | 'approvals'>,
  principal: Principal,
  run: StoredRun,
  {
    isApproved,
    approveTime,
    nodeId,
  }: { isApproved: boolean; approveTime?: string | undefined; nodeId?: string | undefined },
): Promise<void> {
  const paused = (await runs.steps(run.id)).filter(
    ({ state, task }) => state === 'paused' && (nodeId === undefined || task.nodeId === nodeId),
  )
  const own = paused.filter((step) => !approvals.isApproval(step))
  let hasDecided = false
  if (own.length > 0)
    hasDecided = await runs.decide(
      run.id,
      {
        numbers: own.map(({ number }) => number),
        isApproved,
        userId: principal.userId,
        approveTime,
        reason: `${principal.userName} declined the task.`,
      },
      clock.now(),
    )
  let refused: AppError | undefined
  for (const step of paused.filter((each) => approvals.isApproval(each)))
    try {
      await approvals.decideAs(principal, run, step, { isApproved, approveTime })
      hasDecided = true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused = error
    }
  if (!hasDecided) throw refused ?? runErrors.runNotPaused()
}
