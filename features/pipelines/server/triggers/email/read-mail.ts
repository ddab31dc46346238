/** An attachment of an e-mail. */
export interface MailAttachment {
  /** Name of the file, without folders and control characters. */
  fileName: string
  /** Content. */
  content: Buffer
}

/** A parsed e-mail. */
export interface ReadMail {
  /** Addresses in the header From, in lower case. */
  senders: string[]
  /** Addresses in the recipient headers. */
  recipients: string[]
  /** Subject; can be empty. */
  subject: string
  /** Plain text, or text extracted from the HTML part if there is no plain text. */
  text: string
  /** Identifies the e-mail: its Message-ID, date and subject. */
  identity: string
  /** Values of the Authentication-Results headers, most recently added first. */
  authentication: string[]
  /** Attachments, at most {@link maxAttachments}. */
  attachments: MailAttachment[]
}

/** Maximum size of an e-mail, in bytes. */
export const maxMailBytes = 10 * 1024 * 1024
/** Maximum number of stored attachments. */
const maxAttachments = 20
/** Maximum length of the text of an e-mail, in characters. */
const maxTextLength = 100_000
/** Maximum length of HTML that is converted to text, in characters. */
const maxHtmlLength = 1_000_000
const recipientHeaders = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

/** Parses an e-mail. The library is loaded on the first call. */
export async function readMail(content: Buffer): Promise<ReadMail> {
  const { simpleParser } = await import('mailparser')
  const mail = await simpleParser(content, {
    keepCidLinks: true,
    skipImageLinks: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    maxHtmlLengthToParse: maxHtmlLength,
    maxChildNodes: 200,
  })
  const addressesOf = (list: typeof mail.to | typeof mail.from) =>
    [list ?? []]
      .flat()
      .flatMap(({ value }) => value)
      .flatMap(({ address, group }) => [address, ...(group ?? []).map((each) => each.address)])
      .flatMap((address) => address?.toLowerCase() ?? [])
  const valuesOf = (name: string) =>
    mail.headerLines
      .filter(({ key }) => key === name)
      .map(({ line }) =>
        line
          .slice(line.indexOf(':') + 1)
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
  const subject = mail.subject ?? ''
  return {
    senders: addressesOf(mail.from),
    recipients: [
      ...addressesOf(mail.to),
      ...addressesOf(mail.cc),
      ...recipientHeaders.flatMap(valuesOf).map((value) => value.replace(/^<|>$/g, '')),
    ],
    subject: subject.slice(0, 1000),
    text: (mail.text ?? '').slice(0, maxTextLength),
    identity: JSON.stringify([
      mail.messageId ?? content.toString('base64').slice(0, 10_000),
      mail.date ?? '',
      subject,
    ]),
    authentication: valuesOf('authentication-results'),
    attachments: mail.attachments
      .filter(({ related }) => !related)
      .slice(0, maxAttachments)
      .map(({ filename, content: bytes }, index) => ({
        fileName: safeName(filename ?? '', index + 1),
        content: bytes,
      })),
  }
}

/** Returns a safe file name. Senders choose the names of attachments, so paths and control characters must be removed. */
function safeName(name: string, number: number): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
    .slice(-200)
  return plain === '' ? `attachment-${number}` : plain
}
