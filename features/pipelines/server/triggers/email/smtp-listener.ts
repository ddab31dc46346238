import type { AddressInfo } from 'node:net'
import { maxMailBytes } from './read-mail.ts'
import type { MailOutcome } from './receive-mail.ts'

/** Maximum number of concurrent connections. */
const maxConnections = 20
const timeoutMs = 60_000

/** A running SMTP server. */
export interface SmtpListener {
  /** TCP port. */
  port: number
  /** Closes the port and all connections. */
  stop(): Promise<void>
}

/**
 * Starts an SMTP server that accepts e-mails to the addresses of triggers. It is intended for use behind a relay.
 * @param isKnown returns whether a trigger has the address
 */
export async function startSmtpListener(
  { port, host }: { port: number; host: string },
  isKnown: (address: string) => Promise<boolean>,
  receive: (content: Buffer, recipients: readonly string[]) => Promise<MailOutcome>,
  warn: (message: string, error: unknown) => void,
): Promise<SmtpListener> {
  const { SMTPServer } = await import('smtp-server')
  const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
  const failed = (error: unknown) => {
    warn('An e-mail could not be received.', error)
    return reply(451, 'Try again later.')
  }
  const server = new SMTPServer({
    size: maxMailBytes,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: maxConnections,
    socketTimeout: timeoutMs,
    closeTimeout: 1000,
    onRcptTo({ address }, _session, done) {
      isKnown(address).then(
        (known) => done(known ? undefined : reply(550, 'No pipeline has this address.')),
        (error: unknown) => done(failed(error)),
      )
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      let sizeBytes = 0
      stream.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        // The remainder of an e-mail that is too large is read and discarded.
        if (sizeBytes <= maxMailBytes) chunks.push(chunk)
      })
      stream.on('error', (error: unknown) => done(failed(error)))
      stream.on('end', () => {
        if (stream.sizeExceeded || sizeBytes > maxMailBytes) {
          done(reply(552, `The e-mail is larger than ${maxMailBytes} bytes.`))
          return
        }
        receive(
          Buffer.concat(chunks),
          envelope.rcptTo.map(({ address }) => address),
        ).then(
          (outcome) =>
            done(
              outcome.state === 'accepted'
                ? undefined
                : reply(outcome.state === 'later' ? 452 : 554, outcome.reason),
            ),
          (error: unknown) => done(failed(error)),
        )
      })
    },
  })
  server.on('error', (error: unknown) => warn('The mail server reported an error.', error))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
