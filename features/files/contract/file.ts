import { z } from 'zod'
import { objectName } from '@headwater/contract'
import { fieldMap, fieldPairs } from './metadata.ts'

/** States of the ingest of a series file. */
export const ingestStates = ['READY', 'PROCESSING', 'REJECTED', 'DUPLICATE'] as const
/** A state of the ingest of a series file. */
export type IngestState = (typeof ingestStates)[number]

/** One version of a file. Versions share name and group; each has its own id. */
export const file = z.object({
  fid: z.string().describe('Id of this version of the file, a lower-case UUID.'),
  id: z.string().describe('The same as `fid`.'),
  fileName: z
    .string()
    .describe(
      'Name with extension. All versions have this name; other files of the group have different names.',
    ),
  name: z.string().describe('The same as `fileName`.'),
  fileType: z.string().describe('Type in upper case, for example SOURCE or NCSV.'),
  groupName: z.string().describe('Name of the group that the file belongs to.'),
  groupId: z.int().describe('Id of that group.'),
  fields: fieldMap.describe('Metadata, name to value.'),
  metadataVersion: z
    .int()
    .describe(
      'Version of the metadata, from 1. Each change of the metadata increases it; `version` stays the same.',
    ),
  arrivalTime: z.string().describe('Time of arrival, ISO date-time in UTC without a zone.'),
  owner: z.string().describe('User name of the owner.'),
  size: z.int().describe('Size of the content in bytes.'),
  zipped: z.boolean().describe('Whether the content is compressed.'),
  version: z.int().describe('Number of this version, counted from 1 in order of arrival.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  sha256: z.string().describe('SHA-256 of the content, lower-case hexadecimal.'),
  jobId: z.string().describe('The job of the upload; its statuses are at /status.'),
  dataStart: z
    .int()
    .optional()
    .describe('First timestamp of its data according to the uploader, epoch ms in UTC.'),
  dataEnd: z
    .int()
    .optional()
    .describe('Last timestamp of its data according to the uploader, epoch ms in UTC.'),
  status: z
    .object({
      status: z.string().describe('Status of the ingest.'),
      message: z.string().describe('Its message; can be empty.'),
    })
    .optional()
    .describe('Only with `withStatus`.'),
})
/** One version of a file, as a type. */
export type File = z.infer<typeof file>

/** The name of a new file: 1 to 255 characters, not a path. */
export const fileName = objectName('a file', { max: 255 }).describe(
  'Name with extension, 1 to 255 characters, without slashes, line breaks, control characters and invisible characters.',
)

/** The type of a new file: any word, stored in upper case. */
export const fileType = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(
    z
      .string()
      .min(1, 'A file needs a type, for example SOURCE.')
      .regex(
        /^[A-Z0-9][A-Z0-9 _.-]{0,63}$/,
        'A file type must be a word of at most 64 letters, digits, - and _.',
      ),
  )
  .describe('Type of the file regardless of case, for example SOURCE or NCSV.')

/** Input to announce a file; its content is sent to the returned address. */
export const newFile = z.object({
  groupName: z
    .string()
    .max(300)
    .nullish()
    .describe('Group of the file. Null within a run: the group of the running job.'),
  fileName,
  fileType: fileType.default('SOURCE'),
  fields: fieldPairs
    .nullish()
    .transform((pairs) => pairs ?? [])
    .describe(
      'Metadata as name/value pairs. The names PARTIAL_UPDATE, AVOID_DUPLICATES, SKIP_METADATA (value true) control the ' +
        'ingest of series; dataStart and dataEnd (epoch ms in UTC) are the range of the data.',
    ),
  zipped: z
    .boolean()
    .nullish()
    .describe('Whether the content is compressed. Default: according to the extension of the name.'),
})
/** Input to announce a file, as a type. */
export type NewFile = z.output<typeof newFile>

/** The response to an announced file. */
export const fileTicket = z.object({
  location: z
    .string()
    .describe('Absolute URL for the PUT of the content, valid for 24 hours without other credentials.'),
  fileId: z.string().describe('Id of the announced file.'),
  permit: z.string().describe('The permit in `location`. Pass it as `token` to the routes for parts.'),
})
/** The response to an announced file, as a type. */
export type FileTicket = z.infer<typeof fileTicket>

/** The response to the content of a file. */
export const contentReceipt = z.object({
  fileId: z.string().describe('Id of the file.'),
  size: z.int().describe('Number of received bytes.'),
  sha256: z.string().describe('SHA-256 of the received bytes, lower-case hexadecimal.'),
  status: z
    .enum(ingestStates)
    .describe(
      'READY: the file is stored. PROCESSING: series are being ingested, see the job. REJECTED: the content is ' +
        'not a valid series file. DUPLICATE: it contained nothing new and was not stored.',
    ),
  message: z.string().describe('Reason for users why the file was rejected; empty if it was not rejected.'),
  jobId: z.string().describe('The job of the upload; its statuses have details.'),
})
/** The response to the content of a file, as a type. */
export type ContentReceipt = z.infer<typeof contentReceipt>
