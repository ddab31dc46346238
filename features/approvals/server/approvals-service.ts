import { createHash, randomBytes } from 'node:crypto'
import { AppError, isUuid } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import { isReference, runErrors } from '@headwater/runs/contract'
import type { Runs, StoredRun, StoredStep } from '@headwater/runs/server'
import { formatUtc, type Clock, type Mailer, type Principal } from '@headwater/server-kit'
import { approvalErrors, approvalTaskName, unableText } from '../contract/index.ts'
import { approvalMail } from './approval-mail.ts'
import { readApprovalSettings } from './approval-task.ts'
import type { ApprovalsStore, StoredApproval } from './approvals-store.ts'

/** Dependencies of approvals. */
export interface ApprovalsDependencies {
  /** Stores requests and decisions. */
  store: ApprovalsStore
  /** Continues runs after decisions. */
  runs: Pick<Runs, 'find' | 'steps' | 'value' | 'decide'>
  /** Sends links to approvers and decides at deadlines. */
  queue: JobQueue
  /** Sends the e-mails. */
  mailer: Mailer
  /** Returns the addresses of users who cannot decide. */
  findUnable: (addresses: readonly string[]) => Promise<string[]>
  /** Current time. */
  clock: Clock
  /** URL of the installation, for links; if undefined, e-mails contain only the path. */
  publicUrl: string | undefined
}

/** Decision of a user. */
export interface UserDecision {
  /** Whether the task is approved. */
  isApproved: boolean
  /** Time of the decision according to the client. */
  approveTime?: string | undefined
}

/** The service of approvals. */
export type ApprovalsService = ReturnType<typeof createApprovalsService>

/** A task of a run; without a task id, the paused approval. */
interface TaskOfRun {
  jobId: string
  nodeId?: string | undefined
}

const requestJob = 'request-approval'
const deadlineJob = 'approval-deadline'
const hourMs = 3_600_000

/** Creates the service of approvals and registers the job handlers of requests and deadlines. */
export function createApprovalsService(deps: ApprovalsDependencies) {
  const { queue, clock } = deps
  queue.handle<StepName>(requestJob, {
    run: ({ payload }) => requestDecision(deps, payload),
    giveUp: ({ payload }, error) =>
      declineWithoutDecision(deps, payload, `The e-mails to the approvers could not be sent: ${error}`),
  })
  queue.handle<StepName>(deadlineJob, { run: ({ payload }) => decideAtDeadline(deps, payload) })
  return {
    /** Returns whether a step is an approval, which only its approvers and administrators can decide. */
    isApproval,

    /** Returns the error that names the users who can decide a paused approval. */
    async neededFor(run: StoredRun, step: StoredStep) {
      const approval = await deps.store.find(run.id, step.number)
      return approvalErrors.approvalNeeded({
        task: step.task.name,
        approvers: approval?.approvers.map((approver) => approver.address) ?? [],
      })
    },

    /** Returns whether the user can decide a paused approval as an approver or administrator. */
    async canDecide(principal: Principal, run: StoredRun, step: StoredStep): Promise<boolean> {
      return principal.isAdministrator || isApprover(await deps.store.find(run.id, step.number), principal)
    },

    /** Returns the approval for the caller's token; without a token, an approval of a run. */
    async get(
      principal: Principal,
      { token, jobId, nodeId }: { token?: string | undefined; jobId: string; nodeId?: string | undefined },
    ) {
      const address = principal.userName.toLowerCase()
      if (token === undefined) {
        const { approval, canDecide } = await requireOfRun(deps, principal, { jobId, nodeId })
        return toView(deps, approval, { address, canDecide })
      }
      const { approval } = await requireRequest(deps, principal, { token, jobId })
      return toView(deps, approval, { address, canDecide: true })
    },

    /** Decides with the token of a link. */
    async decideByToken(
      principal: Principal,
      link: { token: string; jobId: string },
      decision: UserDecision,
    ): Promise<void> {
      const { approval, address } = await requireRequest(deps, principal, link)
      await decide(deps, approval, address, principal, decision)
    },

    openApprovers: (runId: string, steps: readonly StoredStep[]) => openApprovers(deps, runId, steps),

    isApproverOfOther: (principal: Principal, link: TaskOfRun) => isApproverOfOther(deps, principal, link),

    decideAsApprover: (principal: Principal, link: TaskOfRun, decision: UserDecision) =>
      decideAsApprover(deps, principal, link, decision),

    /**
     * Decides a paused approval as the signed-in user, who must be an approver or an administrator.
     * @throws approvalNeeded
     */
    async decideAs(
      principal: Principal,
      run: StoredRun,
      step: StoredStep,
      decision: UserDecision,
    ): Promise<void> {
      const approval = await deps.store.find(run.id, step.number)
      if (approval !== undefined && isApprover(approval, principal))
        return decide(deps, approval, principal.userName.toLowerCase(), principal, decision)
      if (!principal.isAdministrator) throw await this.neededFor(run, step)
      await deps.store.transaction(async (executor) => {
        await deps.store.close(
          { runId: run.id, number: step.number },
          { isApproved: decision.isApproved, administrator: principal.userName },
          executor,
        )
        await finish(deps, { runId: run.id, number: step.number }, executor, {
          ...decision,
          userId: principal.userId,
          reason: `${principal.userName} declined the task.`,
        })
      })
    },
  }

  /** Declines a step that nobody can decide. */
  async function declineWithoutDecision(
    { store }: ApprovalsDependencies,
    step: StepName,
    reason: string,
  ): Promise<void> {
    await store.transaction((executor) =>
      deps.runs.decide(
        step.runId,
        { numbers: [step.number], isApproved: false, userId: null, reason },
        clock.now(),
        executor,
      ),
    )
  }

  /**
   * E-mails a link to each approver who can decide. A repeated attempt skips approvers who already have a link. If too few
   * approvers can decide, the step is declined.
   */
  async function requestDecision(
    { store, runs, mailer, publicUrl }: ApprovalsDependencies,
    name: StepName,
  ): Promise<void> {
    const run = await runs.find(name.runId)
    const step = (await runs.steps(name.runId)).find(({ number }) => number === name.number)
    if (run === undefined || step?.state !== 'paused') return
    const inputs: Record<string, string> = {}
    for (const [input, value] of Object.entries(step.task.inputs))
      inputs[input] = isReference(value) ? ((await runs.value(run.id, value)) ?? '') : value
    const settings = readApprovalSettings(inputs)
    if (typeof settings === 'string') return declineWithoutDecision(deps, name, settings)
    const unable = await deps.findUnable(settings.approvers)
    const able = settings.approvers.filter((approver) => !unable.includes(approver))
    if (able.length < settings.required) return declineWithoutDecision(deps, name, unableText(unable))
    const at = clock.now()
    const deadline =
      settings.deadlineHours === undefined
        ? undefined
        : new Date(at.getTime() + settings.deadlineHours * hourMs)
    await store.transaction(async (executor) => {
      await store.open(
        {
          runId: run.id,
          number: step.number,
          eId: step.eId,
          message: settings.message,
          required: settings.required,
          requestedAt: at,
          deadline,
          approvesAtDeadline: settings.approvesAtDeadline,
          addresses: able,
        },
        executor,
      )
      if (deadline !== undefined)
        await queue.enqueue(
          deadlineJob,
          name,
          { runAfter: deadline, uniqueKey: `${deadlineJob} ${name.runId}/${name.number}` },
          executor,
        )
    })
    const approval = await store.find(run.id, step.number)
    for (const { address, isSent } of approval?.approvers ?? []) {
      if (isSent) continue
      const token = randomBytes(32).toString('base64url')
      const approver = { ...name, address }
      await store.setToken(approver, hashOf(token))
      await mailer.send(
        approvalMail({
          to: address,
          token,
          run,
          taskName: step.task.name,
          approval: approval!,
          unable,
          publicUrl,
        }),
      )
      await store.setSent(approver, clock.now())
    }
  }
}

interface StepName {
  runId: string
  number: number
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Returns the request that a token belongs to. The caller must be its approver. */
async function requireRequest(
  { store }: ApprovalsDependencies,
  principal: Principal,
  { token, jobId }: { token: string; jobId: string },
): Promise<{ approval: StoredApproval; address: string }> {
  const request = isUuid(jobId) ? await store.findByToken(hashOf(token)) : undefined
  const isValid =
    request?.runId === jobId.trim().toLowerCase() && request.address === principal.userName.toLowerCase()
  const approval = isValid ? await store.find(request.runId, request.number) : undefined
  if (request === undefined || approval === undefined) throw approvalErrors.approvalNotFound()
  return { approval, address: request.address }
}

/**
 * Returns an approval of a run. The caller must be one of its approvers, the user of the run or an administrator. The user of
 * the run can decide only if they are also an approver or administrator.
 */
async function requireOfRun(
  deps: ApprovalsDependencies,
  principal: Principal,
  { jobId, nodeId }: { jobId: string; nodeId: string | undefined },
): Promise<{ approval: StoredApproval; canDecide: boolean }> {
  const id = jobId.trim().toLowerCase()
  const run = isUuid(id) ? await deps.runs.find(id) : undefined
  const approval = run === undefined ? undefined : await approvalOf(deps, id, nodeId)
  const isOwn = run?.userId === principal.userId
  const decides = isApprover(approval, principal)
  if (approval === undefined || !(decides || isOwn || principal.isAdministrator))
    throw approvalErrors.approvalNotFound()
  return { approval, canDecide: principal.isAdministrator || decides }
}

/** Returns the approval of a task of a run; without a task, the paused approval. */
async function approvalOf(
  { store, runs }: ApprovalsDependencies,
  runId: string,
  nodeId: string | undefined,
): Promise<StoredApproval | undefined> {
  const step = (await runs.steps(runId)).find(
    ({ task, state }) =>
      task.definitionName === approvalTaskName &&
      (nodeId === undefined ? state === 'paused' : task.nodeId === nodeId),
  )
  return step && store.find(runId, step.number)
}

function isApproval({ task }: Pick<StoredStep, 'task'>): boolean {
  return task.definitionName === approvalTaskName
}

/**
 * Returns, by step number, the addresses of the approvers who have not yet decided on the paused steps of a run, and which of
 * them cannot decide.
 */
async function openApprovers(
  { store, findUnable }: ApprovalsDependencies,
  runId: string,
  steps: readonly StoredStep[],
): Promise<Map<number, { open: string[]; unable: string[] }>> {
  const paused = steps.filter((step) => step.state === 'paused' && isApproval(step))
  const openOf = new Map<number, string[]>()
  // One after another, so that a run with many approvals does not take all database connections.
  for (const { number } of paused) openOf.set(number, undecided(await store.find(runId, number)))
  const unable = new Set(await findUnable([...new Set([...openOf.values()].flat())]))
  return new Map(
    [...openOf].map(([number, open]) => [
      number,
      { open, unable: open.filter((address) => unable.has(address)) },
    ]),
  )
}

function undecided(approval: StoredApproval | undefined): string[] {
  return (approval?.approvers ?? []).flatMap(({ address, decidedAt }) =>
    decidedAt === undefined ? [address] : [],
  )
}

/** Returns whether the user is an approver of a run that a different user started. */
async function isApproverOfOther(
  deps: ApprovalsDependencies,
  principal: Principal,
  { jobId, nodeId }: TaskOfRun,
): Promise<boolean> {
  const id = jobId.trim().toLowerCase()
  const run = isUuid(id) ? await deps.runs.find(id) : undefined
  if (run === undefined || run.userId === principal.userId) return false
  return isApprover(await approvalOf(deps, id, nodeId), principal)
}

/**
 * Decides as an approver without the token of a link.
 * @throws approvalNotFound, approvalDecided, runNotPaused
 */
async function decideAsApprover(
  deps: ApprovalsDependencies,
  principal: Principal,
  { jobId, nodeId }: TaskOfRun,
  decision: UserDecision,
): Promise<void> {
  const { approval } = await requireOfRun(deps, principal, { jobId, nodeId })
  await decide(deps, approval, principal.userName.toLowerCase(), principal, decision)
}

function isApprover(approval: StoredApproval | undefined, { userName }: Principal): boolean {
  return approval?.approvers.some(({ address }) => address === userName.toLowerCase()) === true
}

/** Stores the decision of an approver and continues the run if this settles the task. */
async function decide(
  deps: ApprovalsDependencies,
  { runId, number }: StoredApproval,
  address: string,
  principal: Principal,
  { isApproved, approveTime }: UserDecision,
): Promise<void> {
  const { store, clock } = deps
  await store.transaction(async (executor) => {
    const approval = await store.find(runId, number, { executor, forUpdate: true })
    const own = approval?.approvers.find((approver) => approver.address === address)
    if (approval === undefined || own === undefined) throw approvalErrors.approvalNotFound()
    if (own.decidedAt !== undefined) throw approvalErrors.approvalDecided()
    if (approval.isApproved !== undefined) throw runErrors.runNotPaused()
    await store.decide({ runId, number, address }, { isApproved, approveTime, at: clock.now() }, executor)
    const approvals = approval.approvers.filter((approver) => approver.isApproved === true).length + 1
    if (isApproved && approvals < approval.required) return
    await store.close({ runId, number }, { isApproved }, executor)
    await finish(deps, { runId, number }, executor, {
      isApproved,
      approveTime,
      userId: principal.userId,
      reason: `${principal.userName} declined the task.`,
    })
  })
}

/** Continues or ends the step. Throws if the run is not paused before it. */
async function finish(
  { runs, clock }: ApprovalsDependencies,
  { runId, number }: StepName,
  executor: Parameters<ApprovalsStore['close']>[2],
  decision: Omit<Parameters<Runs['decide']>[1], 'numbers'>,
): Promise<void> {
  if (!(await runs.decide(runId, { ...decision, numbers: [number] }, clock.now(), executor)))
    throw runErrors.runNotPaused()
}

async function decideAtDeadline(deps: ApprovalsDependencies, { runId, number }: StepName): Promise<void> {
  const { store } = deps
  try {
    await store.transaction(async (executor) => {
      const approval = await store.find(runId, number, { executor, forUpdate: true })
      if (approval === undefined || approval.isApproved !== undefined) return
      await store.close({ runId, number }, { isApproved: approval.approvesAtDeadline }, executor)
      await finish(deps, { runId, number }, executor, {
        isApproved: approval.approvesAtDeadline,
        userId: null,
        reason: 'The approvers did not decide before the deadline.',
      })
    })
  } catch (error) {
    // The run was stopped in the meantime.
    if (!(error instanceof AppError) || error.code !== 'runNotPaused') throw error
  }
}

async function toView(
  { runs, findUnable }: ApprovalsDependencies,
  approval: StoredApproval,
  { address, canDecide }: { address: string; canDecide: boolean },
) {
  const run = await runs.find(approval.runId)
  const step = (await runs.steps(approval.runId)).find(({ number }) => number === approval.number)
  if (run === undefined || step === undefined) throw approvalErrors.approvalNotFound()
  const own = approval.approvers.find((approver) => approver.address === address)
  const state = stateOf(approval, step, own?.decidedAt !== undefined)
  return {
    pipelineName: run.name,
    groupName: run.groupName,
    taskName: step.task.name,
    message: approval.message,
    requestedAt: formatUtc(approval.requestedAt),
    deadline: approval.deadline === undefined ? null : formatUtc(approval.deadline),
    approvesAtDeadline: approval.approvesAtDeadline,
    required: approval.required,
    decidedBy: approval.administrator ?? null,
    unableApprovers: ['WAITING', 'DECIDED'].includes(state) ? await findUnable(undecided(approval)) : [],
    state,
    canDecide: canDecide && state === 'WAITING',
    approvers: approval.approvers.map((approver) => ({
      userName: approver.address,
      isApproved: approver.isApproved ?? null,
      time: approver.decidedAt === undefined ? null : formatUtc(approver.decidedAt),
    })),
  }
}

function stateOf(approval: StoredApproval, step: Pick<StoredStep, 'state'>, hasDecided: boolean) {
  if (approval.isApproved === true) return 'APPROVED' as const
  if (approval.isApproved === false) return 'DECLINED' as const
  if (step.state !== 'paused') return 'ENDED' as const
  return hasDecided ? ('DECIDED' as const) : ('WAITING' as const)
}
