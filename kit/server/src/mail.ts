import { appendFile } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** An e-mail to one person. */
export interface Mail {
  /** E-mail address of the recipient. */
  to: string
  /** Subject line. */
  subject: string
  /** Plain text, for mail programs without HTML. */
  text: string
  /** The same content as an HTML document; default none. */
  html?: string
  /** Files to attach. Default: none. */
  attachments?: readonly MailAttachment[]
}

/** A file of an e-mail. */
export interface MailAttachment {
  /** Name of the file. */
  fileName: string
  /** Content of the file. */
  content: Buffer
}

/** Sends mails. */
export interface Mailer {
  /** Sends an e-mail; rejects on a failure. */
  send(mail: Mail): Promise<void>
  /** Whether a mail server is configured; without one, e-mails go to the mail log. */
  hasServer: boolean
  /** Closes the connection to the mail server. */
  close(): void
}

/**
 * Creates the mailer.
 * @param smtpUrl an SMTP URL such as `smtp://user:password@host:587`; when absent, e-mails are written to `logFile`
 *   (mode 600, because they contain working links), one JSON object per line
 * @param from the sender's address
 * @param connectMs time limit for connecting to the mail server, and for its greeting. Default 20 s.
 */
export function createMailer(options: {
  smtpUrl?: string | undefined
  logFile: string
  from: string
  clock: Clock
  log: Log
  connectMs?: number
}): Mailer {
  const { smtpUrl, logFile, from, clock, log, connectMs = 20_000 } = options
  if (smtpUrl === undefined) {
    return {
      hasServer: false,
      async send({ html: _html, attachments, ...mail }) {
        const names = attachments && { attachments: attachments.map(({ fileName }) => fileName) }
        const line = JSON.stringify({ time: clock.now().toISOString(), from, ...mail, ...names })
        await appendFile(logFile, `${line}\n`, { mode: 0o600 })
        log.info(
          { to: mail.to, subject: mail.subject },
          'no mail server is configured: the e-mail was not sent but written to the mail log',
        )
      },
      close() {},
    }
  }
  // A mail server that does not respond must not block the caller.
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 60_000,
  })
  return {
    hasServer: true,
    async send({ attachments = [], ...mail }) {
      const files = attachments.map(({ fileName, content }) => ({ filename: fileName, content }))
      await transport.sendMail({ from, ...mail, attachments: files })
    },
    close: () => transport.close(),
  }
}
