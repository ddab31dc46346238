import { z } from 'zod'
import { isPlainLine, notPlainLine, objectName } from '@headwater/contract'
import { groupAccess } from './access.ts'

/** Types of metadata fields. */
export const fieldTypes = ['string', 'int', 'float', 'date', 'array'] as const

/** A metadata field of the files of a group. */
export const groupField = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'A field needs a name.')
    .max(128, 'A field name can have at most 128 characters.')
    .describe('Name of the field, unique within the group, 1 to 128 characters.'),
  type: z.enum(fieldTypes).default('string').describe('Type of its values; default string.'),
  defaultValue: z.string().max(4000).optional().describe('Default value for files; absent if there is none.'),
})
/** Type of a metadata field of the files of a group. */
export type GroupField = z.infer<typeof groupField>

/** Returns whether a string is a valid value of a field of this type; any text is valid for strings and arrays. */
export function fitsFieldType(text: string, type: GroupField['type']): boolean {
  switch (type) {
    case 'int':
      return /^[+-]?\d{1,19}$/.test(text)
    case 'float':
      return text !== '' && Number.isFinite(Number(text))
    case 'date':
      return /^\d{4}-\d{2}-\d{2}/.test(text) ? !Number.isNaN(Date.parse(text)) : /^-?\d{1,15}$/.test(text)
    default:
      return true
  }
}

/** A tag of groups. */
export const groupTag = z.object({
  tagId: z.int().describe('Id of the tag.'),
  tagName: z.string().describe('The tag, 1 to 64 characters, unique regardless of case.'),
})
/** A tag of groups, as a type. */
export type GroupTag = z.infer<typeof groupTag>

/** A group: the folder of files, symbols, data preps, pipelines, tasks and insights. */
export const group = z.object({
  groupId: z.int().describe('Id of the group.'),
  name: z.string().describe('Unique name.'),
  description: z.string().describe('Purpose of the group; can be empty.'),
  fields: z.array(groupField).describe('Metadata fields of the files of the group.'),
  groupTags: z.array(groupTag).describe('Tags, by name ascending.'),
  type: z.literal('DATA').describe('Always DATA.'),
  access: groupAccess.describe(
    'Access of the calling user: read (R), write (RW), read and share (RS), or write and share (RWS).',
  ),
  shared: z.boolean().describe('Whether any user other than the owner has access through a grant.'),
  owner: z.string().describe('User name of the owner.'),
  favorite: z.boolean().describe('Whether the group is a favourite of the calling user.'),
  version: z
    .int()
    .min(1)
    .describe('Number of the version, from 1. Each change of the description, fields or tags increases it.'),
  changedBy: z
    .string()
    .nullable()
    .describe(
      'User name of the author of the version; null if nobody changed the group or the user is gone.',
    ),
  createTime: z.int().describe('Time of creation in epoch milliseconds.'),
  dataStart: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Start of the data that the calling user can read, included, ISO date-time in UTC; null for no start. Absent if the user can read the whole group.',
    ),
  dataEnd: z
    .string()
    .nullable()
    .optional()
    .describe(
      'End of the data that the calling user can read, excluded, ISO date-time in UTC; null for no end. Absent if the user can read the whole group.',
    ),
})
/** A group, as a type. */
export type Group = z.infer<typeof group>

/** Number of objects in a group. */
export const groupContents = z.object({
  files: z.int().min(0).describe('Number of files, including insights. Versions are not counted.'),
  insights: z.int().min(0).describe('Number of insights among these files, including private ones.'),
  symbols: z.int().min(0).describe('Number of symbols (time series).'),
  dataPreps: z.int().min(0).describe('Number of data preps.'),
  pipelines: z.int().min(0).describe('Number of pipelines, including e-mail exports.'),
  tasks: z.int().min(0).describe('Number of tasks.'),
  emailExports: z.int().min(0).describe('Number of pipelines that send an insight by e-mail.'),
  publicViews: z
    .int()
    .min(0)
    .describe('Number of public insights, in any group, that show data of this group.'),
})
/** Number of objects in a group, as a type. */
export type GroupContentsCount = z.infer<typeof groupContents>

const description = z
  .string()
  .trim()
  .max(4000, 'A description can have at most 4000 characters.')
  .describe('Purpose of the group.')
const newGroupField = groupField.superRefine(({ name, type, defaultValue = '' }, context) => {
  if (!isPlainLine(name)) context.addIssue({ code: 'custom', path: ['name'], message: notPlainLine })
  if (defaultValue === '' || fitsFieldType(defaultValue.trim(), type)) return
  const message = `The field “${name}” is of the type ${type}; its default “${defaultValue.slice(0, 100)}” is not.`
  context.addIssue({ code: 'custom', path: ['defaultValue'], message })
})
const fields = z
  .array(newGroupField)
  .max(500, 'A group can have at most 500 fields.')
  .describe('Metadata fields of its files.')
const groupTags = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'A tag cannot be empty.')
      .max(64, 'A tag can have at most 64 characters.')
      .refine(isPlainLine, notPlainLine)
      .describe('A tag name; a new one is created.'),
  )
  .max(50, 'A group can have at most 50 tags.')
  .describe('Names of tags.')

/** The name of a new group: 1 to 200 characters, not the name of a home group. */
export const groupName = objectName('a group')
  // Otherwise a user could create the home group of a future user and read its files.
  .refine((name) => !/@.*_home$/.test(name), 'Names like anna@example.com_home are reserved for home groups.')
  .describe('Name of the group: 1 to 200 characters, trimmed, without slashes or invisible characters.')

/** Input to create a group. */
export const newGroup = z.object({
  name: groupName,
  description: description.default(''),
  fields: fields.default([]),
  groupTags: groupTags.default([]),
})
/** Input to create a group, as a type. */
export type NewGroup = z.output<typeof newGroup>

/** Input to change a group; absent fields keep their value. The name cannot be changed, because links and clients use it. */
export const groupChange = z
  .object({
    description,
    fields,
    groupTags,
    basedOn: z
      .int()
      .min(1)
      .describe(
        'Version on which the change is based. If a newer version exists, nothing is changed. Default: the newest version.',
      ),
  })
  .partial()
/** Input to change a group, as a type. */
export type GroupChange = z.output<typeof groupChange>
