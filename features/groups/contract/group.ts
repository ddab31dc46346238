import { z } from 'zod'
import { objectName } from '@headwater/contract'

/** Types a metadata field of a group may have. */
export const fieldTypes = ['string', 'int', 'float', 'date', 'array'] as const

/** One field of the metadata that files of a group carry. */
export const groupField = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'A field needs a name.')
    .max(128, 'A field name has at most 128 characters.')
    .describe('Name of the field, unique within the group, 1 to 128 characters.'),
  type: z.enum(fieldTypes).default('string').describe('Type its values must have; default string.'),
  defaultValue: z
    .string()
    .max(4000)
    .optional()
    .describe('Value of files that bring none; absent when there is no default.'),
})
/** One field of the metadata that files of a group carry, as a type. */
export type GroupField = z.infer<typeof groupField>

/** Whether a text can be the value of a metadata field of this type; texts and lists can be anything. */
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

/** A word to find groups by. */
export const groupTag = z.object({
  tagId: z.int().describe('Id of the tag.'),
  tagName: z.string().describe('The word itself, 1 to 64 characters, unique whatever its letter case.'),
})
/** A word to find groups by, as a type. */
export type GroupTag = z.infer<typeof groupTag>

/** A group: the folder that files, symbols, data preps, pipelines and insights lie in. */
export const group = z.object({
  groupId: z.int().describe('Id of the group.'),
  name: z.string().describe('Unique name.'),
  description: z.string().describe('What the group is for; empty when nobody wrote one.'),
  fields: z.array(groupField).describe('Metadata fields of the files of the group.'),
  groupTags: z.array(groupTag).describe('Tags, by name ascending.'),
  type: z.literal('DATA').describe('Always DATA.'),
  access: z.enum(['R', 'RW', 'RWS']).describe('What the calling user may do with the group.'),
  shared: z.boolean().describe('Whether somebody else than the owner has access by a grant.'),
  owner: z.string().describe('User name of the owner.'),
  favorite: z.boolean().describe('Whether the group is a favourite of the calling user.'),
  createTime: z.int().describe('When the group was created, epoch milliseconds.'),
})
/** A group, as a type. */
export type Group = z.infer<typeof group>

/** How much lies in a group. */
export const groupContents = z.object({
  files: z.int().min(0).describe('Files in it, insights included, each counted once whatever its versions.'),
  insights: z.int().min(0).describe('Insights among these files, private ones included.'),
  symbols: z.int().min(0).describe('Symbols, the series of time, in it.'),
  dataPreps: z.int().min(0).describe('Data preps in it.'),
  emailExports: z.int().min(0).describe('Pipelines in it that send an insight by e-mail.'),
  publicViews: z.int().min(0).describe('Public insights that show data of it, in this group or another one.'),
})
/** How much lies in a group, as a type. */
export type GroupContentsCount = z.infer<typeof groupContents>

const description = z
  .string()
  .trim()
  .max(4000, 'A description has at most 4000 characters.')
  .describe('What the group is for.')
const newGroupField = groupField.superRefine(({ name, type, defaultValue = '' }, context) => {
  if (defaultValue === '' || fitsFieldType(defaultValue.trim(), type)) return
  const message = `The field “${name}” is of the type ${type}; its default “${defaultValue.slice(0, 100)}” is not.`
  context.addIssue({ code: 'custom', path: ['defaultValue'], message })
})
const fields = z
  .array(newGroupField)
  .max(500, 'A group has at most 500 fields.')
  .describe('Metadata fields of its files.')
const groupTags = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'A tag is not empty.')
      .max(64, 'A tag has at most 64 characters.')
      .describe('A tag name; a new one is created.'),
  )
  .max(50, 'A group has at most 50 tags.')
  .describe('Names of tags.')

/** The name of a group as a user may choose it: 1 to 200 characters, not that of a home group. */
export const groupName = objectName('a group')
  // Whoever had such a group before the user is created would receive what that user believes to keep at home.
  .refine((name) => !/@.*_home$/.test(name), 'Names like anna@example.com_home are reserved for home groups.')
  .describe('Name of the group; trimmed, 1 to 200 characters, without slashes and invisible characters.')

/** Input to create a group. */
export const newGroup = z.object({
  name: groupName,
  description: description.default(''),
  fields: fields.default([]),
  groupTags: groupTags.default([]),
})
export type NewGroup = z.output<typeof newGroup>

/** Input to change a group; what is left out stays. The name stays as it is: links and clients point at it. */
export const groupChange = z.object({ description, fields, groupTags }).partial()
export type GroupChange = z.output<typeof groupChange>
