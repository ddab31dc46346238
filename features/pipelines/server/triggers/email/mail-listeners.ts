import { createEgress } from '@headwater/server-kit'
import { readMailbox } from './imap-mailbox.ts'
import { receiveMail, triggersOfAddresses, type ReceiveMailDependencies } from './receive-mail.ts'
import { startSmtpListener, type SmtpListener } from './smtp-listener.ts'

/** The listeners for e-mails. */
export interface MailListeners {
  /** Starts the configured listeners. */
  start(): Promise<void>
  /** TCP port of the SMTP server; undefined if it does not listen. */
  port(): number | undefined
  /** Stops all listeners. */
  stop(): Promise<void>
}

/** Creates the listeners. Their libraries are loaded when they start. */
export function createMailListeners(
  deps: ReceiveMailDependencies & {
    /** Reports problems. */
    warn: (message: string, error: unknown) => void
    /** Reports e-mails that start no pipeline. */
    info: (message: string) => void
  },
): MailListeners {
  const { settings, warn, info } = deps
  let smtp: SmtpListener | undefined
  let wake = () => {}
  let isStopping = false
  let polling: Promise<void> = Promise.resolve()

  async function poll(imap: NonNullable<typeof settings.imap>): Promise<void> {
    // The configuration names this host, so it can be internal.
    const egress = createEgress({ internalHosts: [{ host: imap.host, subdomains: false, port: imap.port }] })
    let hasFailed = false
    while (!isStopping) {
      try {
        await readMailbox(
          imap,
          egress,
          (content) => receiveMail(deps, content),
          (reason) => info(`An e-mail started no pipeline. ${reason}`),
        )
        hasFailed = false
      } catch (error) {
        if (!hasFailed) warn('The mailbox could not be read. The server retries.', error)
        hasFailed = true
      }
      await new Promise<void>((resolve) => {
        if (isStopping) return resolve()
        const timer = setTimeout(resolve, imap.pollSeconds * 1000)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  return {
    async start() {
      if (settings.port !== undefined)
        smtp = await startSmtpListener(
          { port: settings.port, host: settings.host },
          async (address) => (await triggersOfAddresses(deps, [address])).length > 0,
          (content, recipients) => receiveMail(deps, content, recipients),
          warn,
        )
      if (settings.imap !== undefined) polling = poll(settings.imap)
    },
    port: () => smtp?.port,
    async stop() {
      isStopping = true
      wake()
      await Promise.all([polling, smtp?.stop()])
    },
  }
}
