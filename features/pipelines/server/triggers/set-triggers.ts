import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isClientError, type Executor, type Principal } from '@headwater/server-kit'
import { pipelineErrors, type TriggerInput } from '../../contract/index.ts'
import { accessToPipelines } from '../pipeline-access.ts'
import type { StoredPipeline } from '../pipelines-store.ts'
import { hashOfMailToken, mailTokenOf } from './email/mail-address.ts'
import { scheduleOf, setTriggerSchedule } from './scheduled-triggers.ts'
import { hasCycle } from './trigger-cycles.ts'
import type { NewTrigger, StoredTrigger, TypedDefinition } from './trigger-definitions.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'
import { createWebhookSecret, signingKeyOf, webhookPath } from './webhook.ts'

/** Secrets of new webhooks, by trigger id. */
export type NewSecrets = ReadonlyMap<string, { path: string; signingKey: string }>

/**
 * Sets all triggers of a pipeline. The caller becomes the owner of new and changed triggers.
 * @returns the secrets of new webhooks, which are not stored
 * @throws pipelineNotFound, pipelineGroupForbidden, triggerInvalid, and the errors of schedules and calendars
 */
export async function setTriggers(
  deps: TriggersDependencies,
  principal: Principal,
  pipeline: StoredPipeline,
  inputs: readonly TriggerInput[],
): Promise<NewSecrets> {
  const earlier = new Map((await deps.triggers.list(pipeline.id)).map((each) => [each.id, each]))
  const checked: { input: TriggerInput; typed: TypedDefinition }[] = []
  for (const input of inputs) {
    const before = input.id === undefined ? undefined : knownTrigger(earlier, input)
    checked.push({ input, typed: await definitionOf(deps, principal, { pipeline, input, before }) })
  }
  const secrets = new Map<string, { path: string; signingKey: string }>()

  await deps.triggers.transaction(async (executor) => {
    // Serialises saves of the triggers of a pipeline, and prevents its deletion.
    if ((await deps.store.find({ id: pipeline.id }, undefined, { executor, lock: true })) === undefined)
      throw pipelineErrors.notFound({ what: `“${pipeline.name}”` })
    await requireNoCycle(deps, pipeline, checked, executor)
    const known = new Map((await deps.triggers.list(pipeline.id, executor)).map((each) => [each.id, each]))
    const ids: string[] = []
    for (const [index, { input, typed }] of checked.entries()) {
      const before = input.id === undefined ? undefined : knownTrigger(known, input)
      const webhook = newSecretOf(input, before)
      const trigger = toStored(deps, principal, { input, typed, before, secretHash: webhook?.hash })
      ids.push(trigger.id)
      await deps.triggers.save(pipeline.id, index + 1, trigger, executor)
      if (before === undefined || isChanged(input, typed, before))
        await setTriggerSchedule(deps, trigger, executor)
      if (webhook !== undefined)
        secrets.set(trigger.id, {
          path: webhookPath(webhook.secret),
          signingKey: signingKeyOf(deps, trigger),
        })
    }
    await deps.triggers.removeOthers(pipeline.id, ids, executor)
  })
  return secrets
}

/** A trigger to check, with its stored state. */
interface GivenTrigger {
  pipeline: StoredPipeline
  input: TriggerInput
  before: StoredTrigger | undefined
}

/** Checks the fields of a trigger and replaces names with ids. A list can contain unchanged triggers of other users. */
async function definitionOf(
  deps: TriggersDependencies,
  principal: Principal,
  given: GivenTrigger,
): Promise<TypedDefinition> {
  const { input, before } = given
  const typed = await typedDefinition(deps, principal, given)
  if (before !== undefined && !isChanged(input, typed, before)) return typed
  const schedule = scheduleOf(typed)
  if (schedule !== undefined) await deps.schedules.check([schedule])
  if (typed.type === 'FILEARRIVAL')
    await readable(deps.groups.getGroupById(principal, typed.definition.groupId, 'R'))
  if (typed.type === 'EMAIL') {
    if (deps.mailIn === undefined)
      throw pipelineErrors.triggerInvalid({
        problem:
          'This server receives no e-mails. Ask an administrator to set HEADWATER_MAIL_IN_ADDRESS with HEADWATER_IMAP_URL or HEADWATER_MAIL_IN_PORT.',
      })
    const { attachmentsGroupId } = typed.definition
    if (attachmentsGroupId !== null)
      await readable(deps.groups.getGroupById(principal, attachmentsGroupId, 'RW'))
  }
  if (typed.type === 'PIPELINE') {
    const { item } = await readable(
      accessToPipelines(deps).require(principal, { id: typed.definition.pipelineId }, 'R'),
    )
    if (item.id === given.pipeline.id)
      throw pipelineErrors.triggerInvalid({
        problem: 'A pipeline cannot start after its own end. Choose another pipeline, or a trigger RETRY.',
      })
  }
  return typed
}

async function typedDefinition(
  deps: TriggersDependencies,
  principal: Principal,
  { input, before }: GivenTrigger,
): Promise<TypedDefinition> {
  switch (input.type) {
    case 'CRON': {
      const { type, cron, timeZone, holidayCalendar, missedRuns } = input
      return { type, definition: { cron, timeZone, holidayCalendar: holidayCalendar ?? null, missedRuns } }
    }
    case 'SCHEDULER': {
      const { type, rule, timeZone, holidayCalendar, onFreeDay, missedRuns } = input
      const definition = { rule, timeZone, holidayCalendar: holidayCalendar ?? null, onFreeDay, missedRuns }
      return { type, definition }
    }
    case 'FILEARRIVAL': {
      const { type, groupName, namePattern } = input
      const known = before?.type === type ? before.definition.groupId : undefined
      const isSame = known !== undefined && (await deps.triggers.groupNames([known])).get(known) === groupName
      const groupId = isSame ? known : (await readable(deps.groups.getGroup(principal, groupName, 'R'))).id
      return { type, definition: { groupId, namePattern } }
    }
    case 'PIPELINE': {
      const { type, statuses } = input
      const pipelineId = input.pipelineId.trim().toLowerCase()
      return { type, definition: { pipelineId, statuses: [...new Set(statuses)] } }
    }
    case 'RETRY': {
      const { type, attempts, delaySeconds, backoff, statuses } = input
      return { type, definition: { attempts, delaySeconds, backoff, statuses: [...new Set(statuses)] } }
    }
    case 'EMAIL': {
      const { type, allowedSenders, subjectPattern, attachmentsGroupName: name } = input
      const known = before?.type === type ? before.definition.attachmentsGroupId : null
      const attachmentsGroupId = name ? await groupIdOf(deps, principal, name, known ?? undefined) : null
      return { type, definition: { allowedSenders, subjectPattern, attachmentsGroupId } }
    }
    case 'None':
      return { type: input.type, definition: { signed: input.signed } }
  }
}

/** Returns the id of a group. If the stored trigger already uses the group, the caller does not need access to it. */
async function groupIdOf(
  { triggers, groups }: TriggersDependencies,
  principal: Principal,
  name: string,
  known: number | undefined,
): Promise<number> {
  const isSame = known !== undefined && (await triggers.groupNames([known])).get(known) === name
  return isSame ? known : (await readable(groups.getGroup(principal, name, 'R'))).id
}

/** Converts an error about a group or pipeline to an error of the trigger. */
async function readable<T>(lookup: Promise<T>): Promise<T> {
  try {
    return await lookup
  } catch (error) {
    if (!isClientError(error)) throw error
    throw pipelineErrors.triggerInvalid({ problem: error.message })
  }
}

/**
 * Throws if the triggers would form a cycle. Two concurrent saves could close a cycle together, so the check locks the triggers
 * of all pipelines.
 */
async function requireNoCycle(
  { triggers }: TriggersDependencies,
  pipeline: StoredPipeline,
  checked: readonly { typed: TypedDefinition }[],
  executor: Executor,
): Promise<void> {
  const own = checked.flatMap(({ typed }) =>
    typed.type === 'PIPELINE' ? [{ pipelineId: pipeline.id, after: typed.definition.pipelineId }] : [],
  )
  if (own.length === 0) return
  const edges = await triggers.lockPipelineEnds(executor)
  const others = edges.filter(({ pipelineId }) => pipelineId !== pipeline.id)
  if (hasCycle(pipeline.id, [...others, ...own]))
    throw pipelineErrors.triggerInvalid({
      problem: `“${pipeline.name}” would start after its own end, through the triggers of other pipelines. Remove one of these triggers.`,
    })
}

function knownTrigger(known: ReadonlyMap<string, StoredTrigger>, { id, type }: TriggerInput): StoredTrigger {
  const before = known.get((id ?? '').trim().toLowerCase())
  if (before?.type === type) return before
  throw pipelineErrors.triggerInvalid({
    problem: `The pipeline has no trigger ${id} of the type ${type}. Omit the id to add one.`,
  })
}

function newSecretOf(input: TriggerInput, before: StoredTrigger | undefined) {
  if (input.type !== 'None' || (before !== undefined && !input.renewSecret)) return undefined
  return createWebhookSecret()
}

function isChanged(input: TriggerInput, { definition }: TypedDefinition, before: StoredTrigger): boolean {
  return (
    input.becomeOwner ||
    (input.type === 'None' && input.renewSecret) ||
    input.active !== before.active ||
    input.name !== before.name ||
    !isDeepStrictEqual(definition, before.definition)
  )
}

function toStored(
  { clock, signingSecret }: TriggersDependencies,
  principal: Principal,
  given: {
    input: TriggerInput
    typed: TypedDefinition
    before: StoredTrigger | undefined
    secretHash: string | undefined
  },
): NewTrigger {
  const { input, typed, before, secretHash } = given
  const isOwn = before === undefined || isChanged(input, typed, before)
  const keyNumber = before === undefined ? 1 : before.keyNumber + (secretHash === undefined ? 0 : 1)
  const id = before?.id ?? randomUUID()
  return {
    ...typed,
    id,
    name: input.name,
    active: input.active,
    ownerId: isOwn ? principal.userId : before.owner.id,
    setAt: isOwn ? clock.now() : before.setAt,
    keyNumber,
    secretHash:
      typed.type === 'EMAIL' ? hashOfMailToken(mailTokenOf(signingSecret, { id, keyNumber })) : secretHash,
  }
}
