import { appendFile } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** A mail to one person. */
export interface Mail {
  to: string
  subject: string
  /** Plain text, for readers of mail that show nothing else. */
  text: string
  /** The same as an HTML document; default text only. */
  html?: string
}

/** Sends mails; a failure is thrown. */
export interface Mailer {
  send(mail: Mail): Promise<void>
  /** Whether there is a mail server; without one mails are only written down. */
  hasServer: boolean
  close(): void
}

/**
 * Creates the mailer.
 * @param smtpUrl an SMTP URL such as `smtp://user:password@host:587`; when absent, mails are written to `logFile`
 *   (mode 600, since they hold links that work), one JSON object a line
 * @param from the sender's address
 */
export function createMailer(options: {
  smtpUrl?: string | undefined
  logFile: string
  from: string
  clock: Clock
  log: Log
}): Mailer {
  const { smtpUrl, logFile, from, clock, log } = options
  if (smtpUrl === undefined) {
    return {
      hasServer: false,
      async send({ html: _html, ...mail }) {
        const line = JSON.stringify({ time: clock.now().toISOString(), from, ...mail })
        await appendFile(logFile, `${line}\n`, { mode: 0o600 })
        log.info(
          { to: mail.to, subject: mail.subject },
          'no mail server is configured: the e-mail was written to the mail log and not sent',
        )
      },
      close() {},
    }
  }
  // A mail server that does not answer must not hold up who waits for it.
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
  })
  return {
    hasServer: true,
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
