import { defineErrors, formatSizeInText } from '@headwater/contract'

/** The limit of a user and the used storage, which only this user can see. */
interface OwnLimit {
  limitBytes: number
  storedBytes: number
  addedBytes: number
  /** Whether more bytes can follow. The size is a minimum then. */
  isPart: boolean
}

function ownLimitReached({ limitBytes, storedBytes, addedBytes, isPart }: OwnLimit): string {
  const used = `your files use ${formatSizeInText(storedBytes)} of ${formatSizeInText(limitBytes)}`
  const size = `${isPart ? 'at least ' : ''}${formatSizeInText(addedBytes)}`
  return `Storage limit reached: ${used}, and this upload needs ${size}.`
}

/** Errors of files. */
export const fileErrors = defineErrors({
  fileNotFound: {
    status: 404,
    message: ({ fid }: { fid: string }) =>
      `There is no file ${fid} that you can read. It may have been deleted, or its upload has not finished.`,
  },
  groupNeeded: {
    status: 400,
    message: () => 'A file needs a group. Only a run of a pipeline can omit it.',
    field: 'groupName',
  },
  metadataNotValid: {
    status: 400,
    message: ({ name, type, value }: { name: string; type: string; value: string }) =>
      `“${value}” is not a valid ${type} for the metadata field “${name}”.`,
    field: 'fields',
  },
  fieldTwice: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `The metadata field “${name}” appears twice. Metadata field names are unique.`,
    field: 'fields',
  },
  flagNotValid: {
    status: 400,
    message: ({ name, value }: { name: string; value: string }) =>
      `${name} must be true or false, not “${value}”.`,
    field: 'fields',
  },
  rangeNotValid: {
    status: 400,
    message: ({ name, value }: { name: string; value: string }) =>
      `${name} must be UTC milliseconds, with dataStart ≤ dataEnd. Got “${value}”.`,
    field: 'fields',
  },
  linkNotValid: {
    status: 403,
    message: () => 'This address is invalid or has expired. Request a new one.',
  },
  contentLengthWrong: {
    status: 400,
    message: ({ announced, received }: { announced: number; received: number }) =>
      `${announced} bytes were announced but ${received} were received. Nothing was stored. Send the content again.`,
  },
  contentCutOff: {
    status: 400,
    message: () => 'The connection broke before the content was complete. Nothing was stored. Send it again.',
  },
  textTooLarge: {
    status: 413,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `A text can have at most ${formatSizeInText(limitBytes)}. Nothing was stored. Upload larger contents as a file.`,
  },
  notTypeOfText: {
    status: 400,
    message: ({ fileName, fileType }: { fileName: string; fileType: string }) =>
      `“${fileName}” is markdown and cannot have the type ${fileType}, whose files are ingested as time series. Choose MARKDOWN, SOURCE or another type without series.`,
    field: 'fileType',
  },
  partTooLarge: {
    status: 413,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `A part can have at most ${formatSizeInText(limitBytes)}. Send smaller parts.`,
  },
  partEmpty: {
    status: 400,
    message: () => 'The part has no bytes. Send at least one byte.',
  },
  partsMissing: {
    status: 409,
    message: ({ numbers, total }: { numbers: readonly number[]; total: number }) =>
      `${total === 1 ? 'A part is' : `${total} parts are`} missing: ${numbers.join(', ')}${total > numbers.length ? ' …' : ''}. Send ${total === 1 ? 'it' : 'them'}, then complete the upload again.`,
  },
  digestNotValid: {
    status: 400,
    message: () =>
      'The checksum header cannot be read. Send Content-Digest: sha-256=:<base64>: or X-Content-SHA256: <hexadecimal>.',
  },
  digestWrong: {
    status: 400,
    message: ({ expected, received }: { expected: string; received: string }) =>
      `The content has the SHA-256 ${received}, but ${expected} was announced. Nothing was stored. Send it again.`,
  },
  notNewestVersion: {
    status: 409,
    message: () => 'A newer version of this file exists. Your changes were not saved; review it first.',
  },
  metadataChanged: {
    status: 409,
    message: ({ fileName, version }: { fileName: string; version: number }) =>
      `Another user saved version ${version} of the metadata of “${fileName}” while you were editing it. Your changes have not been saved. Reload the file, then repeat them.`,
  },
  fileNameTaken: {
    status: 409,
    message: () => 'The group has a file with this name. Choose another name. Nothing was stored.',
    field: 'fileName',
  },
  notMovable: {
    status: 409,
    message: () =>
      'The file changed during the rename, or the name is taken. Nothing was saved. Reload and try again.',
  },
  contentThere: {
    status: 409,
    message: () => 'This file already has different content. Announce a new version with POST /file.',
  },
  storageFull: {
    status: 507,
    message: () =>
      'The disk of the server is full. Nothing was stored. Ask an administrator to free space, then send the content again.',
  },
  storageLimitReached: {
    status: 413,
    message: (reached: OwnLimit | { whose: 'your company' | 'this installation' }) =>
      ('whose' in reached
        ? `The storage limit of ${reached.whose} has been reached.`
        : ownLimitReached(reached)) +
      ' Nothing was stored. Delete files you no longer need, or ask an administrator for more space.',
  },
  recipientCannotRead: {
    status: 409,
    message: ({ userName, groupName }: { userName: string; groupName: string }) =>
      `${userName} cannot read the group “${groupName}”. Nothing was transferred. Share the group with this user first.`,
    field: 'targetOwnerUser',
  },
  recipientLimitReached: {
    status: 413,
    message: () => 'The recipient does not have enough storage for these files. Nothing was transferred.',
    field: 'targetOwnerUser',
  },
  ownersLimitReached: {
    status: 413,
    message: () =>
      'Users who own files in this group would exceed a storage limit. The group stays in the trash. Ask them to delete files they no longer need, or an administrator for more space.',
  },
  diskReserved: {
    status: 507,
    message: ({ reservedDiskBytes }: { reservedDiskBytes: number }) =>
      `The server keeps ${formatSizeInText(reservedDiskBytes)} of its disk free, and this upload would use part of it. ` +
      'Nothing was stored. Ask an administrator to free disk space, then upload again.',
  },
  rangeOutside: {
    status: 416,
    message: ({ sizeBytes }: { sizeBytes: number }) =>
      `The range lies outside of the content, which has ${sizeBytes} bytes.`,
  },
  notOwner: {
    status: 403,
    message: () => 'Only the owner of a file can transfer it.',
  },
  userNotFound: {
    status: 400,
    message: ({ userName }: { userName: string }) => `There is no user “${userName}”.`,
    field: 'targetOwnerUser',
  },
  tooManyRows: {
    status: 413,
    message: ({ limit }: { limit: number }) =>
      `The text has more than ${limit} rows. Validate fewer rows, or upload the file, which also validates it.`,
  },
  tooManyMappings: {
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `The group has ${limit} mappings, which is the limit. Delete one, or save under the name of an existing one.`,
    field: 'name',
  },
  mappingNotFound: {
    status: 404,
    message: ({ name }: { name: string }) =>
      `The group has no mapping “${name}”. It may have been deleted; reload the list.`,
    field: 'name',
  },
  notSeriesFile: {
    status: 400,
    message: ({ fileName }: { fileName: string }) =>
      `“${fileName}” is not a series file. Only files of the type NCSV have this preview.`,
  },
  notTableFile: {
    status: 400,
    message: ({ fileName }: { fileName: string }) =>
      `“${fileName}” is not a table with a preview. Only files whose names end in .xlsx or .parquet have one.`,
  },
  tableTooLarge: {
    status: 400,
    message: ({ fileName, limitBytes }: { fileName: string; limitBytes: number }) =>
      `“${fileName}” is too large for a preview; at most ${formatSizeInText(limitBytes)} are allowed. Download it instead.`,
  },
  tableNotReadable: {
    status: 422,
    message: ({ fileName, reason }: { fileName: string; reason: string }) =>
      `“${fileName}” has no preview. ${reason} You can still download the file.`,
  },
  tooManyTablePreviews: {
    status: 429,
    message: () => 'Too many of your table previews are waiting. Wait for their results, then try again.',
  },
  notMarkdown: {
    status: 400,
    message: ({ fileName }: { fileName: string }) =>
      `“${fileName}” is not a markdown file. Its type must be MARKDOWN, or its name must end in .md.`,
  },
  queryNotValid: {
    status: 400,
    message: ({ reason }: { reason: string }) => `Invalid search: ${reason}`,
    field: 'query',
  },
})
