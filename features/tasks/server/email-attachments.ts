import { formatFileSize } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { StepWork } from '@headwater/runs/server'
import { readAtMost, type MailAttachment } from '@headwater/server-kit'
import { openFile } from './library/kind-parts.ts'

/** Inputs for the attachments of an e-mail. */
export const attachmentInputs = ['attachment', 'attachment2', 'attachment3'] as const
/** Maximum total size of attachments. Encoding makes them a third larger; many mail servers accept 25 MB. */
const maxBytes = 15_000_000

/** Reads the attachments with the access of the run; returns an error if they cannot be sent. */
export async function readAttachments(
  files: Pick<Files, 'getReadable' | 'readContent'>,
  work: StepWork,
): Promise<MailAttachment[] | Error> {
  const attachments: MailAttachment[] = []
  let left = maxBytes
  for (const name of attachmentInputs) {
    if ((work.inputs[name] ?? '') === '') continue
    const { fileName, stream } = await openFile(files, work, name)
    const content = await readAtMost(stream, left)
    if (content === undefined)
      return new Error(
        `The attachments exceed ${formatFileSize(maxBytes)} in total. Send fewer or smaller files.`,
      )
    left -= content.length
    attachments.push({ fileName, content })
  }
  return attachments
}
