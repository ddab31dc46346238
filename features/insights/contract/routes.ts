import { z } from 'zod'
import {
  defineRoute,
  largeBodyBytes,
  objectName,
  pageOf,
  pageQuery,
  queryBoolean,
  sortOrder,
} from '@headwater/contract'
import { infoField, insight, insightSummary, insightTypes } from './insight.ts'
import { insightContent, readInsights } from '@headwater/tile-data/contract'
import { groupText, nameText, notStorable, storable } from './names.ts'

/** Name of an insight in a save. */
export const insightName = objectName('an insight', {
  read: (text) => text.replace(/\.json$/i, ''),
}).describe('Name of the insight; trimmed, without a trailing `.json`.')

const description = z
  .string()
  .trim()
  .max(4000, 'A description can have at most 4000 characters.')
  .refine(storable, notStorable)
  .describe('Description.')
const tags = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'A tag cannot be empty.')
      .max(64, 'A tag can have at most 64 characters.')
      .refine(storable, notStorable),
  )
  .max(50, 'An insight can have at most 50 tags.')
  .describe('Tags.')
const targetGroup = z
  .string()
  .trim()
  .min(1, 'Choose a group.')
  .max(200)
  .refine(storable, notStorable)
  .describe('Group in which to save; requires write access.')

/** Fields of a search for insights. */
const insightSearch = z.object({
  ...pageQuery(),
  query: z
    .string()
    .max(1000)
    .default('')
    .describe(
      'Free text over name, group, description and tags, or `name=…` and `groupName=…` pairs; `*` is a wildcard.',
    ),
  id: z.string().max(100).optional().describe('Only the insight with this id.'),
  insightType: z.enum(insightTypes).optional().describe('Only insights of this kind.'),
  groupName: groupText.optional().describe('Only insights of the group with exactly this name.'),
  tag: z
    .string()
    .max(64)
    .refine(storable, notStorable)
    .optional()
    .describe('Only insights with this tag, case-insensitive.'),
  publicOnly: queryBoolean
    .default(false)
    .describe('Only insights with a public view, including expired ones. Default false.'),
  sortBy: z.enum(['modified', 'name']).default('modified').describe('Sort field.'),
  sortOrder: sortOrder.default('desc').describe('asc or desc, default desc.'),
})

/** Route that searches insights. */
export const searchInsights = defineRoute({
  name: 'searchInsights',
  method: 'GET',
  path: '/insights',
  summary: 'The latest versions of the insights in groups that the caller can read.',
  permission: readInsights,
  allowsRunTokens: true,
  query: insightSearch,
  output: pageOf(insightSummary),
})

/** Route that searches insights with the query in the body, for queries that are too long for a URL. */
export const searchInsightsByBody = defineRoute({
  name: 'searchInsightsByBody',
  method: 'POST',
  isAudited: false,
  path: '/insights/search',
  summary: 'Same as searchInsights, but with the query in the body.',
  permission: readInsights,
  allowsRunTokens: true,
  body: insightSearch,
  output: pageOf(insightSummary),
})

/** Route that returns an insight by group and name. */
export const getInsight = defineRoute({
  name: 'getInsight',
  method: 'GET',
  path: '/insights/:groupName/:insightName',
  summary: 'The latest version of an insight with its content, upgraded to the current format.',
  permission: readInsights,
  allowsRunTokens: true,
  params: z.object({ groupName: groupText, insightName: nameText }),
  query: z.object({
    isPublic: queryBoolean
      .default(false)
      .describe('Whether to return the view of visitors, if the insight is public. Default false.'),
  }),
  output: insight,
  errors: ['groupNotFound', 'insightNotFound', 'insightDamaged', 'notPublic'],
})

/** Route that creates an insight. */
export const createInsight = defineRoute({
  name: 'createInsight',
  method: 'POST',
  path: '/insights',
  summary: 'Saves a new insight.',
  permission: readInsights,
  body: z.object({
    insightName,
    groupName: targetGroup,
    shouldCreateGroup: z.boolean().default(false).describe('Creates the group if it does not exist.'),
    description: description.default(''),
    tags: tags.default([]),
    type: z.enum(insightTypes).optional().describe('Ignored: the content determines it.'),
    isWorkflow: z.boolean().optional().describe('Ignored: the content determines it.'),
    logoId: z.string().max(100).optional().describe('File id of the logo.'),
    useUserToken: z.boolean().optional().describe('Stored as the info field use_user_token.'),
    content: insightContent,
  }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: z.object({
    id: z.string().describe('Id of the file.'),
    logoLocation: z
      .string()
      .describe('Path to PUT a logo to, a PNG or JPEG image; not needed if `logoId` names one.'),
  }),
  successStatus: 201,
  errors: [
    'groupNotFound',
    'groupForbidden',
    'insightExists',
    'fileInTheWay',
    'insightTooLarge',
    'insightNotEditable',
  ],
})

/** Route that saves a new version and can rename or move the insight. */
export const updateInsight = defineRoute({
  name: 'updateInsight',
  method: 'PUT',
  path: '/insights',
  summary: 'Saves a new version of an insight; renames or moves it if the new names differ.',
  permission: readInsights,
  body: z.object({
    oldGroupName: groupText,
    oldInsightName: nameText,
    newGroupName: targetGroup.optional().describe('Group to move to. Absent: unchanged.'),
    newInsightName: insightName.optional().describe('New name. Absent: unchanged.'),
    expectedFileId: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Id of the version on which the change is based. If a later version exists, nothing is saved.',
      ),
    fields: z
      .array(
        infoField.extend({
          value: z
            .string()
            .max(4000)
            .refine(storable, notStorable)
            .describe('Value as text; empty removes the field.'),
        }),
      )
      .max(500)
      .default([])
      .describe('Info fields to set, by name. Omitted fields stay unchanged.'),
    tags: tags.optional().describe('All tags. Absent: unchanged.'),
    isWorkflow: z.boolean().optional().describe('Ignored: the content determines it.'),
    waitForUpload: z
      .boolean()
      .default(true)
      .describe('Ignored. The server always responds after the save is complete.'),
    content: insightContent,
  }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: z.object({ fileId: z.string().describe('Id of the new version.') }),
  errors: [
    'groupNotFound',
    'groupForbidden',
    'insightNotFound',
    'insightChanged',
    'insightExists',
    'fileInTheWay',
    'notMovable',
    'insightTooLarge',
    'insightNotEditable',
    'saveWouldPublish',
  ],
})

/** Maximum size of a logo, in bytes. */
export const maxLogoBytes = 1024 * 1024

const insightParams = z.object({ groupName: groupText, insightName: nameText })

/** Route that returns an insight by the name of its file. */
export const readInsight = defineRoute({
  name: 'readInsight',
  method: 'GET',
  path: '/insight/proxy/:groupName/:fileName',
  summary:
    'Same as getInsight, but by file name with or without `.json`. For insights that are viewed and not edited.',
  permission: readInsights,
  allowsRunTokens: true,
  params: z.object({
    groupName: groupText,
    fileName: z.string().min(1).max(260).refine(storable, notStorable).describe('Name of the file.'),
  }),
  output: insight,
  errors: ['groupNotFound', 'insightNotFound', 'insightDamaged'],
})

/** Route that returns the logo as a png or jpeg picture. */
export const getInsightLogo = defineRoute({
  name: 'getInsightLogo',
  method: 'GET',
  path: '/insights/:groupName/:insightName/logo',
  summary: 'The logo of an insight, a png or jpeg picture.',
  permission: readInsights,
  params: insightParams,
  errors: ['groupNotFound', 'insightNotFound', 'logoNotFound'],
})

/** Route that sets the logo; its maximum size is {@link maxLogoBytes}. */
export const putInsightLogo = defineRoute({
  name: 'putInsightLogo',
  method: 'PUT',
  path: '/insights/:groupName/:insightName/logo',
  summary: `Sets the logo of an insight: a PNG or JPEG picture of at most ${maxLogoBytes} bytes. The server checks the type of the content.`,
  permission: readInsights,
  params: insightParams,
  bodyKind: 'stream',
  output: z.object({ logoId: z.string().describe('Id of the file of the logo.') }),
  errors: [
    'groupNotFound',
    'groupForbidden',
    'insightNotFound',
    'insightNotEditable',
    'logoNotValid',
    'logoTooLarge',
  ],
})

/** Route that deletes an insight with all its versions. */
export const deleteInsight = defineRoute({
  name: 'deleteInsight',
  method: 'DELETE',
  path: '/insights',
  summary: 'Deletes an insight with all its versions.',
  permission: readInsights,
  body: z.object({
    groupName: groupText,
    insightName: nameText,
    removeGroup: z
      .boolean()
      .default(false)
      .describe('Whether to delete the group with everything in it. Default false.'),
  }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'insightNotFound', 'insightNotEditable'],
})

/** Route that lists the tags of readable insights. */
export const listInsightTags = defineRoute({
  name: 'listInsightTags',
  method: 'GET',
  path: '/insights/tags',
  summary: 'Tags of insights that the caller can read, ascending.',
  permission: readInsights,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(200)
      .default('*')
      .describe(
        'Case-insensitive wildcard pattern for the whole tag. `*` and `.*` match any text; `*` alone matches all tags.',
      ),
  }),
  output: pageOf(z.string()),
})

/** Route that changes info fields without creating a version. */
export const patchInsight = defineRoute({
  name: 'patchInsight',
  method: 'PATCH',
  path: '/insights',
  summary: 'Changes info fields of an insight without creating a new version.',
  permission: readInsights,
  body: z.object({
    groupName: groupText,
    insightName: nameText,
    fields: z
      .array(
        infoField.extend({
          value: z
            .string()
            .max(4000)
            .refine(storable, notStorable)
            .describe('Value as text; empty removes the field.'),
        }),
      )
      .min(1, 'Set at least one field.')
      .max(100)
      .describe(
        'Info fields to set, by name. Fields that have their own routes (insight_type, insightShared, public_view, public_view_expiration) are ignored.',
      ),
  }),
  output: insightSummary,
  errors: [
    'logoNotFound',
    'groupNotFound',
    'groupForbidden',
    'insightNotFound',
    'insightNotEditable',
    'saveWouldPublish',
    'selfActivationNotValid',
  ],
})
