import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A received mail. */
export interface ReceivedMail {
  /** Addresses of the recipients. */
  to: string[]
  /** Headers and body, without the line breaks of quoted-printable. */
  text: string
}

/** A real mail server that stores what it receives. */
export interface MailServer {
  /** Received mails, oldest first. */
  mails: ReceivedMail[]
  /** URL for HEADWATER_SMTP_URL. */
  url: string
  /** Stops the server. */
  stop(): Promise<void>
}

/**
 * Starts a mail server.
 * @param options `refuses`: whether it rejects an address; `beforeTaken`: runs between the receipt of an e-mail and its confirmation
 */
export async function startMailServer({
  refuses = () => false,
  beforeTaken = async () => {},
}: {
  refuses?: (address: string) => boolean
  beforeTaken?: () => Promise<void>
} = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(refuses(address) ? new Error('No such mailbox') : undefined)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        void beforeTaken().then(() => done())
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  return {
    mails,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
