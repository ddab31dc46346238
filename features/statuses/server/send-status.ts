import { AppError, formatNumber, isUuid, type AccessMode } from '@headwater/contract'
import type { Clock, Principal } from '@headwater/server-kit'
import { statusErrors, type JobStatus } from '../contract/index.ts'
import type { NewJob, StatusGroups } from './new-job.ts'
import { maxJobMessages, maxSentJobs, maxSentSteps, maxStepMessages } from './status-messages.ts'
import type { StatusesStore } from './statuses-store.ts'

const dayMs = 86_400_000

/** Dependencies of {@link sendStatus}. */
export interface SendStatusDependencies {
  /** Stores jobs and components. */
  store: Pick<StatusesStore, 'find' | 'findOpen' | 'countSent' | 'send'>
  /** Clock for start and end times. */
  clock: Clock
  /** Checks access to groups. */
  groups: StatusGroups
  /** Starts a job and returns its id. */
  startJob: (job: NewJob) => Promise<string>
}

/** A status that a script sends. */
export interface SentStatus {
  /** Status of the step. */
  status: JobStatus
  /** Message for users. Default: empty. */
  message?: string | null | undefined
  /** Id of the job. Default: the open job of the component, or a new job. */
  jobId?: string | null | undefined
  /** Execution id. Default: the name of the component. */
  eId?: string | null | undefined
  /** Name of a new step. Default `script`. */
  componentName?: string | null | undefined
  /** Group of a new job. */
  groupName?: string | null | undefined
  /** Kind of sender. */
  className?: string | null | undefined
}

/**
 * Adds a status from a script to a job of the caller. Throws `jobNotFound`, `jobIdNotValid` or `tooManySteps`; also
 * `tooManySentJobs` if the status would start a job.
 */
export async function sendStatus(
  deps: SendStatusDependencies,
  principal: Principal,
  sent: SentStatus,
): Promise<{ jobId: string; eId: string; note?: string }> {
  const component = sent.componentName?.trim() || 'script'
  const requestedId = parseJobId(sent.jobId)
  let jobId =
    requestedId === undefined
      ? await deps.store.findOpen(principal.userId, component)
      : await findWritable(deps, principal, requestedId)
  if (jobId === undefined) await requireNewJob(deps, principal)
  jobId ??= await deps.startJob({
    id: requestedId,
    type: 'PIPELINE',
    name: component,
    group: await findGroup(deps, principal, sent.groupName, 'RW'),
    ownerId: principal.userId,
    followsComponents: true,
  })
  const eId = sent.eId || component
  const about = await findGroup(deps, principal, sent.groupName, 'R')
  const change = {
    eId,
    component,
    status: sent.status,
    message: sent.message ?? '',
    payload: {
      ...(sent.groupName ? { groupName: sent.groupName } : {}),
      ...(sent.className ? { className: sent.className } : {}),
    },
    groupId: about?.id,
  }
  const outcome = await deps.store.send(jobId, change, deps.clock.now())
  switch (outcome) {
    case 'noJob':
      throw statusErrors.jobNotFound({ jobId })
    case 'tooManySteps':
      throw statusErrors.tooManySteps({ max: maxSentSteps })
    case 'stepFull':
      return {
        jobId,
        eId,
        note: limitNote(`its step already has ${formatNumber(maxStepMessages)} messages of this kind`),
      }
    case 'jobFull':
      return { jobId, eId, note: limitNote(`its job already has ${formatNumber(maxJobMessages)} messages`) }
    case 'stored':
      return { jobId, eId }
  }
}

/**
 * Throws if the user's statuses have started too many jobs. Each final status without a job starts one, so a script could fill
 * the database.
 */
async function requireNewJob({ store, clock }: SendStatusDependencies, { userId }: Principal): Promise<void> {
  const since = new Date(clock.now().getTime() - dayMs)
  if ((await store.countSent(userId, since, maxSentJobs)) >= maxSentJobs)
    throw statusErrors.tooManySentJobs({ max: maxSentJobs })
}

function limitNote(reason: string): string {
  return `The message was counted but not stored, because ${reason}, which is the maximum. Write further messages to the log.`
}

/** Returns the id if the caller can write to the job; undefined if the job does not exist. */
async function findWritable(
  { store }: Pick<SendStatusDependencies, 'store'>,
  principal: Principal,
  jobId: string,
): Promise<string | undefined> {
  const job = await store.find(jobId)
  if (job === undefined) return undefined
  if (job.ownerId !== principal.userId && !principal.isAdministrator)
    throw statusErrors.jobNotFound({ jobId })
  return jobId
}

/** Returns a group that the caller can access; undefined for any other text. */
async function findGroup(
  { groups }: Pick<SendStatusDependencies, 'groups'>,
  principal: Principal,
  name: string | null | undefined,
  mode: AccessMode,
) {
  if (!name) return undefined
  try {
    return await groups.getGroup(principal, name, mode)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function parseJobId(text: string | null | undefined): string | undefined {
  const id = text?.trim().toLowerCase() ?? ''
  if (['', 'none', 'null'].includes(id)) return undefined
  if (!isUuid(id)) throw statusErrors.jobIdNotValid()
  return id
}
