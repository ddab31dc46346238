import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { pipelineErrors } from '../../contract/index.ts'
import { enqueueFirings } from './fire-triggers.ts'
import type { StoredTrigger } from './trigger-definitions.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'

/** A call of a webhook. */
export interface WebhookCall {
  /** Secret in the URL. */
  secret: string
  /** Text of the body. */
  body: string
  /** Header Content-Type; undefined if it is missing. */
  contentType: string | undefined
  /** Header Idempotency-Key. A repeated key does not start a second run. */
  idempotencyKey: string | undefined
  /** Header X-Headwater-Timestamp: seconds since 1970. */
  timestamp: string | undefined
  /** Header X-Headwater-Signature. */
  signature: string | undefined
}

/** Maximum number of calls of a webhook that wait for their runs to start. */
const maxWaiting = 100
/** Maximum difference between the time of a signature and the server time. */
const toleranceSeconds = 300

/** Creates a secret for the URL of a webhook, and its hash. The server stores only the hash. */
export function createWebhookSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

/** Returns the path of a webhook. */
export function webhookPath(secret: string): string {
  return `/mgmt/webhook/${secret}`
}

/** Returns the signing key of a webhook. It is derived, so that no table contains it. */
export function signingKeyOf(
  { signingSecret }: Pick<TriggersDependencies, 'signingSecret'>,
  { id, keyNumber }: Pick<StoredTrigger, 'id' | 'keyNumber'>,
): string {
  return createHmac('sha256', signingSecret).update(`webhook ${id} ${keyNumber}`).digest('hex')
}

/**
 * Stores a call of a webhook, which starts one run, and returns whether it is new.
 * @throws webhookNotFound, webhookSignature, tooManyEvents
 */
export async function receiveWebhook(
  deps: Pick<TriggersDependencies, 'triggers' | 'queue' | 'clock' | 'signingSecret'>,
  call: WebhookCall,
): Promise<boolean> {
  const trigger = await deps.triggers.findBySecret(hashOf(call.secret))
  if (trigger?.type !== 'None' || !trigger.active) throw pipelineErrors.webhookNotFound()
  const cause = trigger.definition.signed ? signedCause(deps, trigger, call) : unsignedCause(call)
  const { waiting } = await deps.triggers.countFirings(trigger.id, deps.clock.now())
  if (waiting >= maxWaiting) throw pipelineErrors.tooManyEvents({ max: maxWaiting })
  return deps.triggers.transaction(async (executor) => {
    const values = { body: call.body, contentType: call.contentType ?? '' }
    const event = { cause, values, causedByJob: undefined, occurredAt: deps.clock.now() }
    const firings = await deps.triggers.addFirings([trigger.id], event, executor)
    await enqueueFirings(deps, firings, executor)
    return firings.length > 0
  })
}

/** Checks the signature and returns the cause of the event. Each signature starts at most one run. */
function signedCause(
  deps: Pick<TriggersDependencies, 'clock' | 'signingSecret'>,
  trigger: StoredTrigger,
  { body, timestamp = '', signature = '' }: WebhookCall,
): string {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const ageSeconds = Math.abs(deps.clock.now().getTime() / 1000 - seconds)
  const expected = createHmac('sha256', signingKeyOf(deps, trigger)).update(`${timestamp}.${body}`).digest()
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1] ?? '', 'hex')
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isGenuine || !(ageSeconds <= toleranceSeconds)) throw pipelineErrors.webhookSignature()
  return `call ${expected.toString('hex')}`
}

function unsignedCause({ idempotencyKey }: WebhookCall): string {
  return idempotencyKey === undefined || idempotencyKey === ''
    ? `call ${randomUUID()}`
    : `key ${hashOf(idempotencyKey)}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
