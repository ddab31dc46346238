import type { Principal } from '@headwater/server-kit'
import {
  fileErrors,
  isSeriesFile,
  maxTextBytes,
  type ContentReceipt,
  type NewFile,
} from '../contract/index.ts'
import { announceUpload } from './announce-upload.ts'
import type { ReadyFile } from './file-rows.ts'
import { uploadContent } from './upload-content.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { abandonUpload } from './upload-status.ts'

/**
 * Saves a text as a new version of a file in one step. It gets the metadata that its base version has after the transfer.
 * @param change type of the new version, default the type of the base; id of the job to join
 * @throws notNewestVersion if `base` is not the newest version, notTypeOfText for a series file, textTooLarge, and errors of announcements and uploads
 */
export async function saveVersion(
  deps: UploadDependencies,
  principal: Principal,
  base: ReadyFile,
  content: Omit<Parameters<typeof uploadContent>[3], 'basedOn' | 'keepsMetadata' | 'maxTextBytes' | 'byLink'>,
  { fileType = base.type, jobHeader }: { fileType?: string | undefined; jobHeader?: string | undefined } = {},
): Promise<ContentReceipt> {
  if (isSeriesFile(fileType)) throw fileErrors.notTypeOfText({ fileName: base.name, fileType })
  if ((content.announcedBytes ?? 0) > maxTextBytes)
    throw fileErrors.textTooLarge({ limitBytes: maxTextBytes })
  if (!base.latest) throw fileErrors.notNewestVersion()
  const { groupName, name: fileName, zipped } = base
  const file: NewFile = { groupName, fileName, fileType, zipped, fields: [] }
  const { fileId, token } = await announceUpload(deps, principal, file, jobHeader)
  try {
    // The transfer can take long, so the access of the user is checked again afterwards, as for a link.
    return await uploadContent(deps, fileId, token, {
      ...content,
      basedOn: base.id,
      keepsMetadata: true,
      maxTextBytes,
      byLink: true,
    })
  } catch (error) {
    await abandonUpload(deps, fileId).catch((failure: unknown) =>
      deps.log.error({ error: failure, fileId }, 'an announced file could not be abandoned'),
    )
    throw error
  }
}
