import type { Files } from '@headwater/files/server'
import type { ErrorClass } from '@headwater/runs/contract'
import { readAtMost, type Mailer } from '@headwater/server-kit'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { isEmailAddress, listOf } from '../core/index.ts'
import { attachmentInputs, readAttachments } from './email-attachments.ts'
import { openFile } from './library/kind-parts.ts'
import type { TaskKind } from './task-kinds.ts'

/** Maximum number of recipients per e-mail. */
const maxRecipients = 50
const maxSubjectLength = 250
const maxBodyBytes = 5 * 1024 * 1024

/** Creates the kind of task that sends text or an HTML file from the data lake by e-mail. */
export function createEmailSender({
  mailer,
  files,
}: {
  mailer: Mailer
  files: Pick<Files, 'getReadable' | 'readContent'>
}): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { subject = '', recipients = '', text = '' } = work.inputs
    const problem = problemOf({ subject, recipients })
    if (problem !== undefined) return { status: 'ERROR', message: problem }
    const html = await bodyOf(work)
    if (html instanceof Error) return { status: 'ERROR', message: html.message }
    const attachments = await readAttachments(files, work)
    if (attachments instanceof Error) return { status: 'ERROR', message: attachments.message }
    if (html === undefined && text === '' && attachments.length === 0)
      return {
        status: 'ERROR',
        message: 'There is nothing to send. Enter a text, or choose a body file or an attachment.',
      }
    const mail = { subject, text: text || subject, attachments, ...(html === undefined ? {} : { html }) }
    const sent: string[] = []
    for (const to of addressesIn(recipients)) {
      if (work.signal.aborted)
        return {
          status: 'ERROR',
          message: `Sending was stopped before all e-mails were sent.${sentTo(sent)}`,
        }
      try {
        await mailer.send({ to, ...mail })
        sent.push(to)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return {
          status: 'ERROR',
          message: `The mail server rejected the e-mail to ${to}: ${reason}.${sentTo(sent)}`,
          errors: [mailErrorClass(error)],
        }
      }
    }
    return mailer.hasServer
      ? { status: 'INFO', message: `Sent to ${sent.join(', ')}.` }
      : {
          status: 'WARN',
          message:
            'No mail server is configured, so the e-mail was written to the mail log and not sent. Ask an administrator to set HEADWATER_SMTP_URL.',
        }
  }

  /** Returns the HTML in the body file, undefined if there is none, or an error if it cannot be sent. */
  async function bodyOf(work: StepWork): Promise<string | undefined | Error> {
    if ((work.inputs.bodyFile ?? '') === '') return undefined
    const { stream } = await openFile(files, work, 'bodyFile')
    const content = await readAtMost(stream, maxBodyBytes)
    return content?.toString('utf8') ?? new Error('The file is larger than 5 MB, the limit for an e-mail.')
  }

  const text = { type: 'INPUT', value: '', defaultValue: '', dynamic: false } as const
  return {
    definitionId: 'email-sender',
    definitionName: 'email-sender',
    readableName: 'Send e-mail',
    category: 'Output',
    description:
      'Sends a text or an HTML file from the data lake by e-mail, separately to each recipient, with up to three attachments.',
    imageUrl: null,
    cpu: 1,
    memory: 64,
    timeout: 300,
    params: [
      { ...text, name: 'subject', valueType: 'TEXT', optional: false, description: 'Subject, in one line.' },
      {
        ...text,
        name: 'recipients',
        valueType: 'ADDRESSES',
        optional: false,
        description: `At most ${maxRecipients} addresses.`,
      },
      {
        ...text,
        name: 'bodyFile',
        valueType: 'FILE',
        optional: true,
        description: 'HTML file for the body.',
      },
      {
        ...text,
        name: 'text',
        valueType: 'LONG_TEXT',
        optional: true,
        description:
          'Plain-text body. With a body file, mail programs that do not display HTML show this text. Default: the subject.',
      },
      ...attachmentInputs.map((name) => ({
        ...text,
        name,
        valueType: 'FILE' as const,
        optional: true,
        description: 'File from the data lake to attach. All attachments together can have at most 15 MB.',
      })),
    ],
    openParams: false,
    // After a crash it is unknown whether the mail server had accepted the e-mail.
    repeatable: false,
    readsReferences: false,
    problemOf,
    run,
  }
}

/** Returns the class of a mail client error, from the connection error code or the server reply (4xx is temporary). */
function mailErrorClass(error: unknown): ErrorClass {
  const { code = '', responseCode = 0 } = error as { code?: string; responseCode?: number }
  if (responseCode >= 400 && responseCode < 500) return 'unavailable'
  if (code === 'ETIMEDOUT') return 'timeout'
  return ['ECONNECTION', 'EDNS', 'ESOCKET'].includes(code) ? 'connection' : 'other'
}

function sentTo(sent: readonly string[]): string {
  return sent.length === 0 ? '' : ` It was sent to ${sent.join(', ')}.`
}

function addressesIn(recipients: string): string[] {
  return [...new Set(listOf(recipients).map((text) => text.toLowerCase()))]
}

function problemOf({ subject, recipients }: Readonly<Record<string, string>>): string | undefined {
  if (subject !== undefined && /[\p{Cc}\u2028\u2029]/u.test(subject))
    return 'The subject must be one line of text.'
  if (subject !== undefined && subject.length > maxSubjectLength)
    return `The subject has ${subject.length.toLocaleString('en')} characters; at most ${maxSubjectLength} are allowed.`
  if (recipients === undefined) return undefined
  const addresses = addressesIn(recipients)
  if (addresses.length === 0) return 'Enter at least one recipient.'
  if (addresses.length > maxRecipients) return `An e-mail can have at most ${maxRecipients} recipients.`
  const wrong = addresses.find((address) => !isEmailAddress(address))
  return wrong === undefined ? undefined : `“${wrong}” is not an e-mail address.`
}
