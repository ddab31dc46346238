import { z } from 'zod'
import { defineRoute, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { contentReceipt, file, fileTicket, newFile } from './file.ts'
import { fieldPairs } from './metadata.ts'
import { fid, token } from './path-parts.ts'

const read = { resource: 'Lake/Files', mode: 'R' } as const
const write = { resource: 'Lake/Files', mode: 'RW' } as const
/** Number of matches at which a search stops counting. */
export const countedFiles = 1000

/** Route `GET /file/search`. */
export const searchFiles = defineRoute({
  name: 'searchFiles',
  method: 'GET',
  path: '/file/search',
  summary: 'Files of the groups that the caller can read, newest arrival first.',
  permission: read,
  allowsRunTokens: true,
  query: z
    .object({
      ...pageQuery(),
      query: z
        .string()
        .max(10_000)
        .default('')
        .describe(
          'Pairs joined by & (name, type, groupName, uuid, fields.<name>, arrivalTime, latest) or free text over name ' +
            'and metadata values. `*` is a wildcard. Without a wildcard a pair must match exactly.',
        ),
      latest: queryBoolean.optional().describe('Only the newest version of each file.'),
      extensions: z
        .string()
        .max(200)
        .optional()
        .describe(
          'Only names that end with one of these extensions, regardless of case: `png,jpg`. Default: all.',
        ),
      withStatus: queryBoolean
        .default(false)
        .describe('Whether to include the status of the ingest of each file.'),
      exactTotal: queryBoolean
        .default(false)
        .describe(
          `Whether to count all matching files. By default counting stops at ${countedFiles} matches or after the page, and totalIsAtLeast is true.`,
        ),
      sortBy: z
        .enum([
          'arrivalTime',
          'name',
          'fileName',
          'fileType',
          'type',
          'groupName',
          'size',
          'owner',
          'version',
        ])
        .default('arrivalTime')
        .describe('Sort key.'),
      sortOrder: sortOrder
        .optional()
        .describe('asc or desc; default desc for arrivalTime, size and version, else asc.'),
    })
    .catchall(z.unknown())
    .describe('Other parameters such as groupName or fields.x become part of the query.'),
  output: pageOf(file).extend({
    files: z.array(file).describe('The same as `items`.'),
    totalIsAtLeast: z
      .boolean()
      .optional()
      .describe(
        'Whether there can be more than totalSize files. If true, totalSize is greater than the number of items up to the end of this page. Absent means false.',
      ),
  }),
  errors: ['queryNotValid'],
})

/** Route `POST /file`. */
export const createFile = defineRoute({
  name: 'createFile',
  method: 'POST',
  path: '/file',
  summary:
    'Announces a file and returns the URL for the PUT of its content. The header X-KH-JOB-ID contains the id of the job to join.',
  permission: write,
  allowsRunTokens: true,
  body: newFile,
  output: fileTicket,
  errors: ['groupNotFound', 'groupNeeded', 'metadataNotValid', 'fieldTwice', 'flagNotValid', 'rangeNotValid'],
})

/** Route `PUT /file/:fid/content`. */
export const putContent = defineRoute({
  name: 'putContent',
  method: 'PUT',
  path: '/file/:fid/content',
  summary: 'Stores the content of an announced file. The URL contains the permit.',
  permission: 'public',
  allowsRunTokens: true,
  params: fid,
  query: token.extend({
    basedOn: z
      .string()
      .optional()
      .describe(
        'Id of the version that the content is based on; if it is not the newest version, nothing is stored. `none`: nothing is stored if the group has a file of this name. Default: any version.',
      ),
    keepsMetadata: queryBoolean
      .optional()
      .describe(
        'Whether the file gets the metadata that the version `basedOn` has when the content is stored, instead of the announced metadata. Default false; no effect without an id in `basedOn`.',
      ),
  }),
  bodyKind: 'stream',
  output: contentReceipt,
  errors: [
    'linkNotValid',
    'contentLengthWrong',
    'contentCutOff',
    'digestNotValid',
    'digestWrong',
    'contentThere',
    'notNewestVersion',
    'fileNameTaken',
    'storageFull',
    'storageLimitReached',
    'diskReserved',
  ],
})

/** Route `GET /file/:fid/content`. */
export const getContent = defineRoute({
  name: 'getContent',
  method: 'GET',
  path: '/file/:fid/content',
  summary: 'The content of a file as a download. The URL contains the permit. Ranges are supported.',
  permission: 'public',
  allowsRunTokens: true,
  params: fid,
  query: token,
  errors: ['linkNotValid', 'fileNotFound', 'rangeOutside'],
})

/** Maximum number of files of an archive. It is limited because the URL contains their ids. */
export const maxArchivedFiles = 100

/** Route `POST /file/archive`. */
export const createArchive = defineRoute({
  name: 'createFileArchive',
  method: 'POST',
  path: '/file/archive',
  summary:
    'Returns the URL of a zip archive of files. The URL works without credentials for at most an hour, while the caller can read all of the files.',
  permission: read,
  body: z.object({
    fileIds: z
      .array(fid.shape.fid)
      .min(1, 'Choose at least one file.')
      .max(maxArchivedFiles, `An archive can have at most ${maxArchivedFiles} files. Choose fewer files.`)
      .describe('Ids of the versions of files.'),
  }),
  output: z.object({ location: z.string().describe('URL of the archive.') }),
  errors: ['fileNotFound'],
})

/** Route `GET /file/archive`. */
export const getArchive = defineRoute({
  name: 'getFileArchive',
  method: 'GET',
  path: '/file/archive',
  summary:
    'The files as a zip archive, which is created during the transfer. The URL contains the permit. If a file cannot be read, the connection is closed before the end of the archive.',
  permission: 'public',
  query: token.extend({
    files: z.string().max(10_000).default('').describe('Ids of the files with commas between them.'),
  }),
  errors: ['linkNotValid', 'fileNotFound'],
})

/** Route `GET /file/:fid`. */
export const getFile = defineRoute({
  name: 'getFile',
  method: 'GET',
  path: '/file/:fid',
  summary:
    'One file. The header Location is a URL of its content. The URL works without credentials for at most an hour, while the caller can read the file.',
  permission: read,
  allowsRunTokens: true,
  params: fid,
  output: file,
  errors: ['fileNotFound'],
})

/** Route `GET /file/:fid/download`. */
export const downloadFile = defineRoute({
  name: 'downloadFile',
  method: 'GET',
  path: '/file/:fid/download',
  summary: 'The content of a file as a download. Ranges are supported.',
  permission: read,
  allowsRunTokens: true,
  params: fid,
  errors: ['fileNotFound', 'rangeOutside'],
})

/** Route `GET /file/:fid/size`. */
export const getFileSize = defineRoute({
  name: 'getFileSize',
  method: 'GET',
  path: '/file/:fid/size',
  summary: 'The size of a file, for checks before it is opened.',
  permission: read,
  allowsRunTokens: true,
  params: fid,
  output: z.object({ size: z.int().describe('Size of the content in bytes.') }),
  errors: ['fileNotFound'],
})

/** Route `GET /file/:fid/versions`. */
export const listFileVersions = defineRoute({
  name: 'listFileVersions',
  method: 'GET',
  path: '/file/:fid/versions',
  summary: 'All versions of a file, newest first.',
  permission: read,
  allowsRunTokens: true,
  params: fid,
  query: z.object({ ...pageQuery() }),
  output: pageOf(file),
  errors: ['fileNotFound'],
})

/** Route `PUT /file/:fid`. */
export const updateFile = defineRoute({
  name: 'updateFile',
  method: 'PUT',
  path: '/file/:fid',
  summary:
    'Changes metadata of a file. The given fields get a new value, an empty value removes a field, and all other fields keep their value.',
  permission: write,
  allowsRunTokens: true,
  params: fid,
  body: z.object({
    fields: fieldPairs.describe('Metadata as name/value pairs.'),
    basedOn: z
      .int()
      .min(1)
      .optional()
      .describe(
        '`metadataVersion` on which the change is based. If a newer version exists, nothing is changed. Default: the newest version.',
      ),
  }),
  output: file,
  errors: ['fileNotFound', 'groupForbidden', 'metadataChanged', 'metadataNotValid', 'fieldTwice'],
})

/** Route `DELETE /file/:fid`. */
export const deleteFile = defineRoute({
  name: 'deleteFile',
  method: 'DELETE',
  path: '/file/:fid',
  summary:
    'Deletes this version of a file. The data of a series file is also deleted, and no later response contains it.',
  permission: write,
  allowsRunTokens: true,
  params: fid,
  output: z.object({}),
  errors: ['fileNotFound', 'groupForbidden'],
})

/** Route `POST /file/ownership`. */
export const transferOwnership = defineRoute({
  name: 'transferFileOwnership',
  method: 'POST',
  path: '/file/ownership',
  summary: 'Transfers files to another user. Only the owner of the files can do this.',
  permission: write,
  body: z.object({
    fileIds: z
      .array(fid.shape.fid)
      .max(10_000)
      .default([])
      .describe('Ids of files; ignored with `transferAll`.'),
    currentOwnerUser: z.string().max(320).describe('User name of the current owner.'),
    targetOwnerUser: z.string().max(320).describe('User name of the new owner.'),
    transferAll: z
      .boolean()
      .default(false)
      .describe(
        'Whether to transfer all files of the current owner in groups that the owner can read, including those in the trash.',
      ),
  }),
  output: z.object({ transferred: z.int().describe('Number of files that changed their owner.') }),
  errors: ['notOwner', 'userNotFound', 'fileNotFound', 'recipientCannotRead', 'recipientLimitReached'],
})
