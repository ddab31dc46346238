import { createHash, randomBytes } from 'node:crypto'
import { AppError, isUuid } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import { isReference, runErrors } from '@headwater/runs/contract'
import type { Runs, StoredRun, StoredStep } from '@headwater/runs/server'
import { formatUtc, type Clock, type Mailer, type Principal } from '@headwater/server-kit'
import { approvalErrors, approvalTaskName } from '../contract/index.ts'
import { approvalMail } from './approval-mail.ts'
import { readApprovalSettings } from './approval-task.ts'
import type { ApprovalsStore, StoredApproval } from './approvals-store.ts'
import { unableText } from './unable-approvers.ts'

/** Dependencies of approvals. */
export interface ApprovalsDependencies {
  /** Stores requests and decisions. */
  store: ApprovalsStore
  /** Continues runs after decisions. */
  runs: Pick<Runs, 'find' | 'steps' | 'value' | 'decide'>
  /** Sends links to approvers and decides at deadlines. */
  queue: JobQueue
  /** Sends the mails. */
  mailer: Mailer
  /** Returns the addresses of users who cannot decide. */
  findUnable: (addresses: readonly string[]) => Promise<string[]>
  /** Current time. */
  clock: Clock
  /** URL of the installation for links; undefined: e-mails have the path only. */
  publicUrl: string | undefined
}

/** Decision of a user. */
export interface UserDecision {
  /** Whether the task is approved. */
  isApproved: boolean
  /** Time of the decision according to the client. */
  approveTime?: string | undefined
}

/** Use cases of approvals. */
export type ApprovalsService = ReturnType<typeof createApprovalsService>

const requestJob = 'request-approval'
const deadlineJob = 'approval-deadline'
const hourMs = 3_600_000

/** Creates the use cases of approvals and registers the handlers of requests and deadlines. */
export function createApprovalsService(deps: ApprovalsDependencies) {
  const { queue, clock } = deps
  queue.handle<StepName>(requestJob, {
    run: ({ payload }) => requestDecision(deps, payload),
    giveUp: ({ payload }, error) =>
      declineAlone(deps, payload, `The e-mails to the approvers could not be sent: ${error}`),
  })
  queue.handle<StepName>(deadlineJob, { run: ({ payload }) => decideAtDeadline(deps, payload) })
  return {
    /** Whether a step is an approval, which only its approvers and administrators decide. */
    isApproval: ({ task }: Pick<StoredStep, 'task'>): boolean => task.definitionName === approvalTaskName,

    /** Returns the approval that the link of the caller leads to. */
    async get(principal: Principal, link: { token: string; jobId: string }) {
      const { approval, address } = await requireRequest(deps, principal, link)
      return toView(deps, approval, address)
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
      const address = principal.userName.toLowerCase()
      if (approval?.approvers.some((approver) => approver.address === address) === true)
        return decide(deps, approval, address, principal, decision)
      if (!principal.isAdministrator)
        throw approvalErrors.approvalNeeded({
          task: step.task.name,
          approvers: approval?.approvers.map((approver) => approver.address) ?? [],
        })
      await deps.store.transaction(async (executor) => {
        await deps.store.close(run.id, step.number, decision.isApproved, executor)
        await finish(deps, { runId: run.id, number: step.number }, executor, {
          ...decision,
          userId: principal.userId,
          reason: `${principal.userName} declined the task.`,
        })
      })
    },
  }

  /** Ends a step that nobody can decide about. */
  async function declineAlone(
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
   * Mails a link to each approver who can decide. A repeated attempt mails only approvers without a link. Without enough approvers who
   * can decide, the step is declined.
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
    if (typeof settings === 'string') return declineAlone(deps, name, settings)
    const unable = await deps.findUnable(settings.approvers)
    const able = settings.approvers.filter((approver) => !unable.includes(approver))
    if (able.length < settings.required) return declineAlone(deps, name, unableText(unable))
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

/** Returns the request that a token belongs to, if the caller is its approver. */
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

/** Stores the decision of an approver, and continues the run if it settles the task. */
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
    await store.close(runId, number, isApproved, executor)
    await finish(deps, { runId, number }, executor, {
      isApproved,
      approveTime,
      userId: principal.userId,
      reason: `${principal.userName} declined the task.`,
    })
  })
}

/** Continues or ends the step. Throws if the run does not wait for it. */
async function finish(
  { runs, clock }: ApprovalsDependencies,
  { runId, number }: StepName,
  executor: Parameters<ApprovalsStore['close']>[3],
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
      await store.close(runId, number, approval.approvesAtDeadline, executor)
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

async function toView({ runs }: ApprovalsDependencies, approval: StoredApproval, address: string) {
  const run = await runs.find(approval.runId)
  const step = (await runs.steps(approval.runId)).find(({ number }) => number === approval.number)
  if (run === undefined || step === undefined) throw approvalErrors.approvalNotFound()
  const own = approval.approvers.find((approver) => approver.address === address)
  return {
    pipelineName: run.name,
    groupName: run.groupName,
    taskName: step.task.name,
    message: approval.message,
    requestedAt: formatUtc(approval.requestedAt),
    deadline: approval.deadline === undefined ? null : formatUtc(approval.deadline),
    approvesAtDeadline: approval.approvesAtDeadline,
    required: approval.required,
    state: stateOf(approval, step, own?.decidedAt !== undefined),
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
