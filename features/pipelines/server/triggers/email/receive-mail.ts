import { createHash } from 'node:crypto'
import { wildcardMatcher } from '@headwater/contract'
import { toStorable } from '@headwater/runs/server'
import type { MailInSettings } from '@headwater/server-kit'
import { enqueueFirings } from '../fire-triggers.ts'
import type { StoredTrigger } from '../trigger-definitions.ts'
import type { TriggersDependencies } from '../triggers-dependencies.ts'
import { hashOfMailToken, mailTokensIn } from './mail-address.ts'
import { senderProblem } from './mail-sender.ts'
import { readMail, type ReadMail } from './read-mail.ts'

/** Dependencies for receiving e-mails. */
export interface ReceiveMailDependencies extends Pick<TriggersDependencies, 'triggers' | 'queue' | 'clock'> {
  /** How the server receives e-mails. */
  settings: MailInSettings
  /** Address from which this server sends e-mails. */
  ownAddress: string
}

/** Outcome of an e-mail: its runs start, it is permanently rejected, or the sender must retry later. */
export type MailOutcome = { state: 'accepted' } | { state: 'refused' | 'later'; reason: string }

/** Maximum number of e-mails of a trigger that wait for their runs to start. */
const maxWaiting = 100
/** Maximum number of e-mails of a trigger per hour. */
const maxPerHour = 200
const hourMs = 3_600_000

/** Returns the active triggers with one of these addresses. */
export async function triggersOfAddresses(
  { triggers, settings }: Pick<ReceiveMailDependencies, 'triggers' | 'settings'>,
  addresses: readonly string[],
): Promise<StoredTrigger[]> {
  const matching: StoredTrigger[] = []
  for (const token of mailTokensIn(settings.address, addresses)) {
    const trigger = await triggers.findBySecret(hashOfMailToken(token))
    if (trigger?.type === 'EMAIL' && trigger.active) matching.push(trigger)
  }
  return matching
}

/**
 * Stores an e-mail for the triggers with its recipient addresses. Each trigger starts one run, however often the e-mail arrives.
 * @param recipients addresses of the delivery; default: the addresses in the headers
 */
export async function receiveMail(
  deps: ReceiveMailDependencies,
  content: Buffer,
  recipients?: readonly string[],
): Promise<MailOutcome> {
  const mail = await readMail(content)
  const triggers = await triggersOfAddresses(deps, recipients ?? mail.recipients)
  const outcomes: MailOutcome[] = []
  for (const trigger of triggers) outcomes.push(await receiveFor(deps, trigger, mail, content))
  return (
    outcomes.find(({ state }) => state === 'later') ??
    outcomes.find(({ state }) => state === 'accepted') ??
    outcomes[0] ?? { state: 'refused', reason: 'No pipeline has this address.' }
  )
}

async function receiveFor(
  deps: ReceiveMailDependencies,
  trigger: StoredTrigger,
  mail: ReadMail,
  content: Buffer,
): Promise<MailOutcome> {
  const problem = problemOf(deps, trigger, mail)
  if (problem !== undefined) return { state: 'refused', reason: problem }
  const now = deps.clock.now()
  const { waiting, recent } = await deps.triggers.countFirings(trigger.id, new Date(now.getTime() - hourMs))
  if (waiting >= maxWaiting) return { state: 'later', reason: `${waiting} e-mails wait for their runs.` }
  if (recent >= maxPerHour)
    return { state: 'refused', reason: `The address received ${maxPerHour} e-mails within an hour.` }
  await deps.triggers.transaction(async (executor) => {
    const cause = `mail ${createHash('sha256').update(mail.identity).digest('hex')}`
    const values = { from: mail.senders[0]!, subject: mail.subject, body: mail.text, attachments: '[]' }
    const storable = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, toStorable(value)]),
    )
    const event = { cause, values: storable, causedByJob: undefined, occurredAt: now }
    const firings = await deps.triggers.addFirings([trigger.id], event, executor)
    for (const { id } of firings) await deps.triggers.saveMail(id, content, executor)
    await enqueueFirings(deps, firings, executor)
  })
  return { state: 'accepted' }
}

function problemOf(
  { settings, ownAddress }: ReceiveMailDependencies,
  trigger: StoredTrigger,
  mail: ReadMail,
): string | undefined {
  if (trigger.type !== 'EMAIL') return 'No pipeline has this address.'
  const own = (/<([^<>]*)>$/.exec(ownAddress)?.[1] ?? ownAddress).toLowerCase()
  // A pipeline that responds to its own e-mails would start itself forever.
  if (mail.senders.includes(own)) return 'E-mails from this server start no pipelines.'
  const { allowedSenders, subjectPattern } = trigger.definition
  const problem = senderProblem(mail, allowedSenders, settings.authServer)
  if (problem !== undefined) return problem
  return wildcardMatcher(subjectPattern)(mail.subject) ? undefined : 'The subject does not match.'
}
