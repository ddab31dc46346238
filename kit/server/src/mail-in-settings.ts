import { readPort, readWholeNumber } from './setting-values.ts'

/** How the server receives e-mails. */
export interface MailInSettings {
  /** Address of the mailbox, HEADWATER_MAIL_IN_ADDRESS; pipelines have addresses of the form `name+token@domain`. */
  address: string
  /** Mailbox to read, HEADWATER_IMAP_URL; undefined if there is none. */
  imap: ImapSettings | undefined
  /**
   * TCP port on which the server accepts e-mails of a relay, HEADWATER_MAIL_IN_PORT; if undefined, the server does not
   * listen.
   */
  port: number | undefined
  /** Address to listen on, HEADWATER_MAIL_IN_HOST, default 127.0.0.1. */
  host: string
  /**
   * Name of the mail server whose Authentication-Results header authenticates the sender, HEADWATER_MAIL_IN_AUTHSERV;
   * if undefined, senders are not authenticated.
   */
  authServer: string | undefined
}

/** A mailbox on an IMAP server. */
export interface ImapSettings {
  /** Host name. */
  host: string
  /** TCP port. */
  port: number
  /** Whether the connection starts with TLS; otherwise it upgrades to TLS if the server offers it. */
  secure: boolean
  /** User name. */
  user: string
  /** Password. */
  password: string
  /** Name of the mailbox, default INBOX. */
  mailbox: string
  /** Poll interval in seconds, HEADWATER_IMAP_POLL_SECONDS, default 60. */
  pollSeconds: number
}

/**
 * Reads the settings. Returns undefined if the server receives no e-mails. Error messages never contain the password.
 */
export function readMailIn(env: Readonly<Record<string, string | undefined>>): MailInSettings | undefined {
  const imap = readImap(env.HEADWATER_IMAP_URL, env.HEADWATER_IMAP_POLL_SECONDS || '60')
  const port = readPort('HEADWATER_MAIL_IN_PORT', env.HEADWATER_MAIL_IN_PORT)
  const address = env.HEADWATER_MAIL_IN_ADDRESS || undefined
  if (imap === undefined && port === undefined) return undefined
  if (address === undefined || !/^[^\s@+<>,]+@[^\s@<>,]+$/.test(address))
    throw new Error(
      'HEADWATER_MAIL_IN_ADDRESS must be the e-mail address that receives the e-mails, without “+”, for example pipelines@example.com.',
    )
  return {
    address: address.toLowerCase(),
    imap,
    port,
    host: env.HEADWATER_MAIL_IN_HOST || '127.0.0.1',
    authServer: env.HEADWATER_MAIL_IN_AUTHSERV?.toLowerCase() || undefined,
  }
}

function readImap(text: string | undefined, seconds: string): ImapSettings | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  const isKnown = url?.protocol === 'imap:' || url?.protocol === 'imaps:'
  if (url === null || !isKnown || url.hostname === '' || url.username === '')
    throw new Error('HEADWATER_IMAP_URL must be a URL such as imaps://user:password@mail.example.com/INBOX.')
  const pollSeconds = readWholeNumber('HEADWATER_IMAP_POLL_SECONDS', seconds, { least: 1, digits: 5 })
  const secure = url.protocol === 'imaps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    secure,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    mailbox: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
    pollSeconds,
  }
}
