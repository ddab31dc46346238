import type { Egress, ImapSettings } from '@headwater/server-kit'
import { maxMailBytes } from './read-mail.ts'
import type { MailOutcome } from './receive-mail.ts'

/** Maximum number of e-mails per read. */
const maxPerRead = 100

/**
 * Reads the unseen e-mails of a mailbox once. Accepted and rejected e-mails are marked as seen.
 * @param egress checks the addresses of the IMAP server
 * @param receive stores an e-mail
 * @param report reports e-mails that start no run
 */
export async function readMailbox(
  settings: ImapSettings,
  egress: Pick<Egress, 'pin'>,
  receive: (content: Buffer) => Promise<MailOutcome>,
  report: (reason: string) => void,
): Promise<void> {
  const { ImapFlow } = await import('imapflow')
  const { host, port, secure, user, password, mailbox } = settings
  const client = new ImapFlow({
    host,
    port,
    secure,
    auth: { user, pass: password },
    tls: await egress.pin({ host, port }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
  })
  // Without a handler, an error between two commands would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const lock = await client.getMailboxLock(mailbox)
    try {
      const unseen = (await client.search({ seen: false }, { uid: true })) || []
      for (const uid of unseen.slice(0, maxPerRead)) {
        const about = await client.fetchOne(String(uid), { size: true }, { uid: true })
        if (!about) continue
        const outcome = await outcomeOf(uid, about.size ?? 0)
        if (outcome.state !== 'accepted') report(outcome.reason)
        if (outcome.state !== 'later') await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
      }
    } finally {
      lock.release()
    }
  } finally {
    await client.logout().catch(() => client.close())
  }

  async function outcomeOf(uid: number, sizeBytes: number): Promise<MailOutcome> {
    if (sizeBytes > maxMailBytes)
      return {
        state: 'refused',
        reason: `The e-mail has ${sizeBytes} bytes; at most ${maxMailBytes} are allowed.`,
      }
    const mail = await client.fetchOne(String(uid), { source: true }, { uid: true })
    if (!mail || mail.source === undefined)
      return { state: 'later', reason: 'The e-mail is no longer in the mailbox.' }
    return receive(mail.source)
  }
}
