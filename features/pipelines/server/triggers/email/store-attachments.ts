import { Readable } from 'node:stream'
import type { Files } from '@headwater/files/server'
import type { Principal } from '@headwater/server-kit'
import type { TriggerValues } from '../../../contract/index.ts'
import type { Firing } from '../firings-store.ts'
import type { TriggersDependencies } from '../triggers-dependencies.ts'
import { readMail } from './read-mail.ts'

/** Dependencies for storing attachments. */
export interface AttachmentDependencies extends Pick<TriggersDependencies, 'triggers'> {
  /** Stores files. */
  files: Pick<Files, 'create' | 'putContent'>
}

/**
 * Stores the attachments of an e-mail as files, only once and with the access of the owner, and returns the trigger values
 * including these files.
 * @throws groupNotFound, groupForbidden, and errors of limits
 */
export async function storeAttachments(
  { triggers, files }: AttachmentDependencies,
  principal: Principal,
  { id, trigger, values }: Firing,
): Promise<TriggerValues> {
  if (trigger.type !== 'EMAIL' || trigger.definition.attachmentsGroupId === null) return values
  const content = await triggers.findMail(id)
  if (content === undefined) return values
  const { attachmentsGroupId } = trigger.definition
  const groupName =
    (await triggers.groupNames([attachmentsGroupId])).get(attachmentsGroupId) ?? '(deleted group)'
  const stored: { id: string; name: string; groupName: string }[] = []
  for (const { fileName, content: bytes } of (await readMail(content)).attachments) {
    const file = { groupName, fileName, fileType: 'SOURCE', fields: [], zipped: false }
    const { fileId, token } = await files.create(principal, file, undefined)
    await files.putContent(fileId, token, {
      stream: Readable.from([bytes]),
      announcedBytes: bytes.length,
      announcedHash: undefined,
    })
    stored.push({ id: fileId, name: fileName, groupName })
  }
  const withFiles = { ...values, attachments: JSON.stringify(stored) }
  // A later attempt to start the run finds no e-mail and does not store the attachments again.
  await triggers.replaceMail(id, withFiles)
  return withFiles
}
