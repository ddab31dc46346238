import { z } from 'zod'
import { objectName } from '@headwater/contract'
import { fieldMap, fieldPairs } from './metadata.ts'

/** How the taking over of a series file ended, or that it still goes on. */
export const ingestStates = ['READY', 'PROCESSING', 'REJECTED', 'DUPLICATE'] as const
export type IngestState = (typeof ingestStates)[number]

/** One version of a file. Several versions share name and group; each has an id of its own. */
export const file = z.object({
  fid: z.string().describe('Id of this version of the file, a lower-case UUID.'),
  id: z.string().describe('The same as `fid`.'),
  fileName: z.string().describe('Name with extension, unique within its group but for versions.'),
  name: z.string().describe('The same as `fileName`.'),
  fileType: z.string().describe('Type in upper case, for example SOURCE or NCSV.'),
  groupName: z.string().describe('Name of the group that the file belongs to.'),
  groupId: z.int().describe('Id of that group.'),
  fields: fieldMap.describe('Metadata, name to value.'),
  arrivalTime: z.string().describe('When it arrived: ISO date-time in UTC without a zone.'),
  owner: z.string().describe('User name of the owner.'),
  size: z.int().describe('Size of the content in bytes.'),
  zipped: z.boolean().describe('Whether the content is compressed.'),
  version: z.int().describe('Number of this version, counted from 1 in order of arrival.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  sha256: z.string().describe('SHA-256 of the content, lower-case hexadecimal.'),
  jobId: z.string().describe('The job that took the file over; its statuses are at /status.'),
  dataStart: z.int().optional().describe('First moment of its data as the uploader said, epoch ms in UTC.'),
  dataEnd: z.int().optional().describe('Last moment of its data as the uploader said, epoch ms in UTC.'),
  status: z
    .object({
      status: z.string().describe('Status word of the taking over.'),
      message: z.string().describe('Its message; may be empty.'),
    })
    .optional()
    .describe('Only when asked for with `withStatus`.'),
})
/** One version of a file, as a type. */
export type File = z.infer<typeof file>

/** The name of a file as a user may choose it: any text of 1 to 255 characters that no program takes for a path. */
export const fileName = objectName('a file', { max: 255 }).describe(
  'Name with extension, 1 to 255 characters, without slashes, line breaks, control characters and invisible characters.',
)

/** The type of a file: an open word, kept in upper case. */
export const fileType = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(
    z
      .string()
      .min(1, 'A file needs a type, for example SOURCE.')
      .regex(/^[A-Z0-9][A-Z0-9 _.-]{0,63}$/, 'A file type is a word of at most 64 letters, digits, - and _.'),
  )
  .describe('Type of the file in any letter case, for example SOURCE or NCSV.')

/** Announces a file; its content follows to the address that is answered. */
export const newFile = z.object({
  groupName: z
    .string()
    .max(300)
    .nullish()
    .describe('Group to put it in. Null inside a run: the group of the running job.'),
  fileName,
  fileType: fileType.default('SOURCE'),
  fields: fieldPairs
    .nullish()
    .transform((pairs) => pairs ?? [])
    .describe(
      'Metadata as name/value pairs. The names PARTIAL_UPDATE, AVOID_DUPLICATES, SKIP_METADATA (value true) steer the ' +
        'taking over of series; dataStart and dataEnd (epoch ms in UTC) tell the range of the data.',
    ),
  zipped: z
    .boolean()
    .nullish()
    .describe('Whether the content is compressed; default by the extension of the name.'),
})
export type NewFile = z.output<typeof newFile>

/** The answer to an announced file. */
export const fileTicket = z.object({
  location: z
    .string()
    .describe('Absolute address to PUT the content to within 24 hours, without further credentials.'),
  fileId: z.string().describe('Id that the file will have.'),
})
/** The answer to an announced file, as a type. */
export type FileTicket = z.infer<typeof fileTicket>

/** The answer to the content of a file. */
export const contentReceipt = z.object({
  fileId: z.string().describe('Id of the file.'),
  size: z.int().describe('Bytes that arrived.'),
  sha256: z.string().describe('SHA-256 of what arrived, lower-case hexadecimal.'),
  status: z
    .enum(ingestStates)
    .describe(
      'READY: the file is there. PROCESSING: series are still being taken over, see the job. REJECTED: the content is ' +
        'not a valid series file. DUPLICATE: it brought nothing new and was not kept.',
    ),
  message: z.string().describe('For people: why it was rejected; empty when all is well.'),
  jobId: z.string().describe('The job whose statuses tell more.'),
})
/** The answer to the content of a file, as a type. */
export type ContentReceipt = z.infer<typeof contentReceipt>
