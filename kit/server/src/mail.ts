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
 * @param connectMs time in which the mail server must accept a connection, and then greet. Default 20 s.
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
      async send({ html: _html, ...mail }) {
        const line = JSON.stringify({ time: clock.now().toISOString(), from, ...mail })
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
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
