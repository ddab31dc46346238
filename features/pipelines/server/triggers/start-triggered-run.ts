import { triggerReference } from '@headwater/runs/contract'
import type { RecordStart } from '@headwater/schedules/server'
import { isClientError, type Principal } from '@headwater/server-kit'
import { localDate } from '@headwater/zones'
import { pipelineErrors, type TriggerValues } from '../../contract/index.ts'
import type { StoredPipeline } from '../pipelines-store.ts'
import { reportNotStarted } from '../report-not-started.ts'
import type { StoredTrigger } from './trigger-definitions.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'

/** A run that a trigger starts. */
export interface TriggeredRun {
  /** The trigger. */
  trigger: StoredTrigger
  /** Values for tasks, by name. */
  values: TriggerValues
  /** Time of the event. */
  at: Date
  /** Reason why the run must not start; undefined if it can start. */
  problem?: string | undefined
  /** Prepares the start with the access of the owner, and returns the values of the run. */
  prepare?: ((principal: Principal) => Promise<TriggerValues>) | undefined
  /** Records the job of the run, in its transaction. */
  record: RecordStart
}

/**
 * Starts the run of a trigger, with the current access of its owner. If it cannot start, a failed job states the reason.
 * @throws AppError `tooManyRuns`, and errors after which a retry can succeed
 */
export async function startTriggeredRun(deps: TriggersDependencies, run: TriggeredRun): Promise<void> {
  const { trigger, record } = run
  const pipeline = await deps.store.find({ id: trigger.pipelineId })
  // If the pipeline was deleted, its triggers were deleted with it.
  if (pipeline === undefined) return
  const refuse = (reason: string, status?: 'WARN') =>
    refuseTriggeredRun(deps, { trigger, record, status }, pipeline, reason)
  if (run.problem !== undefined) return refuse(run.problem, 'WARN')
  const principal = await deps.findPrincipal(trigger.owner.id)
  if (principal === undefined || !principal.can('Science/Creator', 'RW'))
    return refuse(
      `${trigger.owner.userName} owns the trigger and no longer has permission to run pipelines. Set the trigger again.`,
    )
  try {
    await requireAccess(deps, principal, trigger, pipeline)
    const resolved = await deps.plans.resolve(principal, pipeline.content.tasks)
    const change =
      changeByOthers(trigger, pipeline) ?? deps.plans.changedByOthers(resolved, reviewed(trigger, pipeline))
    // Otherwise a user who can change the pipeline or a task could run code with the access of the owner.
    if (change !== undefined)
      return await refuse(
        `${change}, and runs use the access of ${trigger.owner.userName}. Review the change and set the trigger again.`,
      )
    await deps.runs.start(principal, pipeline, {
      types: [trigger.type],
      resolved,
      values: storedValues({ ...run, values: (await run.prepare?.(principal)) ?? run.values }),
      inSameTransaction: record,
    })
  } catch (error) {
    if (!isClientError(error) || error.code === 'tooManyRuns') throw error
    await refuse(error.message)
  }
}

/** Creates a job that states why the run of a trigger did not start. */
export function refuseTriggeredRun(
  deps: Pick<TriggersDependencies, 'store' | 'statuses'>,
  {
    trigger,
    record,
    status = 'ERROR',
  }: Pick<TriggeredRun, 'trigger' | 'record'> & { status?: 'WARN' | 'ERROR' | undefined },
  pipeline: StoredPipeline,
  reason: string,
): Promise<void> {
  const name = trigger.name === '' ? '' : ` “${trigger.name}”`
  return reportNotStarted(
    deps,
    pipeline,
    {
      ownerId: trigger.owner.id,
      type: trigger.type,
      status,
      message: `The trigger${name} did not start a run. ${reason}`,
    },
    record,
  )
}

/** Checks that the owner can still read the group of the pipeline and the group of the event source. */
async function requireAccess(
  deps: TriggersDependencies,
  principal: Principal,
  trigger: StoredTrigger,
  pipeline: StoredPipeline,
): Promise<void> {
  await requireReadable(deps, principal, pipeline.groupId)
  if (trigger.type === 'FILEARRIVAL') await requireReadable(deps, principal, trigger.definition.groupId)
  if (trigger.type !== 'PIPELINE') return
  const other = await deps.store.find({ id: trigger.definition.pipelineId })
  if (other !== undefined) await requireReadable(deps, principal, other.groupId)
}

async function requireReadable(
  { groups, triggers }: TriggersDependencies,
  principal: Principal,
  groupId: number,
): Promise<void> {
  try {
    await groups.getGroupById(principal, groupId, 'R')
  } catch (error) {
    if (!isClientError(error)) throw error
    const name = (await triggers.groupNames([groupId])).get(groupId)
    throw pipelineErrors.triggerInvalid({
      problem:
        name === undefined
          ? 'Its group was deleted. Delete the trigger, or choose another group.'
          : `${principal.userName} owns the trigger and can no longer read the group “${name}”. Set the trigger again.`,
    })
  }
}

function changeByOthers({ owner, setAt }: StoredTrigger, pipeline: StoredPipeline): string | undefined {
  if (pipeline.savedBy === owner.userName || pipeline.savedAt <= setAt) return undefined
  return `${pipeline.savedBy} saved version ${pipeline.version} after ${owner.userName} had set the trigger`
}

/** Returns when the owner last reviewed the pipeline: when setting the trigger, or when saving the pipeline later. */
function reviewed({ owner, setAt }: StoredTrigger, { savedBy, savedAt }: StoredPipeline) {
  const isOwnSave = savedBy === owner.userName && savedAt > setAt
  return { savedBy: owner.userName, savedAt: isOwnSave ? savedAt : setAt }
}

function storedValues({ trigger, values, at }: TriggeredRun): Record<string, string> {
  const all: TriggerValues = {
    type: trigger.type,
    at: at.toISOString(),
    date: localDate(at, zoneOf(trigger)),
    ...values,
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [triggerReference(name), value]))
}

/** Returns the time zone of a scheduled trigger; UTC for others. */
function zoneOf({ type, definition }: StoredTrigger): string {
  return type === 'CRON' || type === 'SCHEDULER' ? definition.timeZone : 'UTC'
}
