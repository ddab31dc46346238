import { z } from 'zod'
import { defineRoute, pageOf } from '@headwater/contract'
import { symbolMap } from '@headwater/symbols/contract'
import {
  insightContent,
  readInsights,
  streamedTileData,
  tileDataChoices,
} from '@headwater/tile-data/contract'
import { groupText, nameText, notStorable, storable } from '@headwater/insights/contract'

/** Possible numbers of tiles that are visible before the form of a public view. */
export const selfActivationTiles = [0, 1, 2, 3, 4] as const

/** Maximum number of values that a public link allows for one parameter. */
export const maxAllowedValues = 200
/** Maximum number of parameters that a public link allows. */
export const maxAllowedParameters = 20

/** Maximum number of links with choices of one insight. */
export const maxPublicLinks = 100

/** Validity of the token of a submitted form, in days. */
export const visitorDays = 30

const insightName = { groupName: groupText, insightName: nameText }
const link = z
  .string()
  .max(20_000)
  .default('')
  .describe('Signed part of a public link, with the parameters that it allows. Default: none.')
const token = z.string().max(2000).default('').describe('Token of the submitted form. Default: none.')
/** Link and token of a visitor. */
export const visitorQuery = z.object({ link, token })
/** Path of a public insight. */
export const publicInsightPath = z.object({
  groupName: groupText,
  fileName: z.string().min(1).max(260).describe('Name of the file of the insight, with or without `.json`.'),
})

/** A parameter that visitors can change, with its values. */
export const allowedParameter = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'A parameter needs a name.')
    .max(1000)
    .refine(storable, notStorable)
    .describe('Key of the symbols that the parameter sets, for example `Code`.'),
  values: z
    .array(z.string().max(1000).refine(storable, notStorable))
    .min(1, 'A parameter needs at least one value.')
    .max(maxAllowedValues, `A parameter can have at most ${maxAllowedValues} values.`)
    .describe('Allowed values besides those of the insight; `*` allows any value.'),
})
/** Type of a parameter that visitors can change, with its values. */
export type AllowedParameter = z.infer<typeof allowedParameter>

/** Public view of an insight. */
export const publicStatus = z.object({
  isPublic: z.boolean().describe('Whether anyone with the link can currently view the insight.'),
  expirationDate: z
    .string()
    .nullable()
    .describe('Date on which the public view expires, ISO date-time in UTC; null means never.'),
  publisher: z
    .string()
    .nullable()
    .describe('Name of the user whose access applies to visitors; null if the insight is not public.'),
})
/** Public view of an insight. */
export type PublicStatus = z.infer<typeof publicStatus>

const write = { resource: 'Insight/PublicView', mode: 'RW' } as const
const statusErrors = ['groupNotFound', 'groupForbidden', 'insightNotFound', 'insightNotEditable'] as const

/** Returns whether an insight is public. */
export const getPublicStatus = defineRoute({
  name: 'getPublicStatus',
  method: 'GET',
  path: '/insights/public',
  summary: 'Returns whether an insight is public.',
  permission: readInsights,
  query: z.object(insightName),
  output: publicStatus,
  errors: ['groupNotFound', 'insightNotFound'],
})

/** Publishes or unpublishes an insight. */
export const updatePublicStatus = defineRoute({
  name: 'updatePublicStatus',
  method: 'PUT',
  path: '/insights/public',
  summary:
    'Publishes or unpublishes an insight, with an optional expiry. Visitors see data that the caller can share; the caller needs RWS access to every group that the insight shows. Publishing it again invalidates earlier links.',
  permission: write,
  body: z.object({
    ...insightName,
    isPublic: z.boolean().describe('Whether anyone with the link can view the insight.'),
    expirationDate: z
      .union([z.iso.date(), z.iso.datetime({ local: true, offset: true })])
      .nullish()
      .describe(
        'Expiry of the public view: a date (inclusive) or a date-time, in UTC unless it has a zone. The default null means never.',
      ),
  }),
  output: publicStatus,
  errors: [...statusErrors, 'expirationPast', 'expirationTooLate', 'publishingNotAllowed', 'sharingOff'],
})

/** Creates a public link with choices. */
export const createPublicLink = defineRoute({
  name: 'createPublicLink',
  method: 'POST',
  path: '/insights/public/link',
  summary:
    'Creates a link to a public insight with the parameters and values that visitors can choose. The same choices return the existing link. Only the publisher and administrators create a link with parameters.',
  permission: write,
  body: z.object({
    ...insightName,
    parameters: z
      .array(allowedParameter)
      .max(maxAllowedParameters, `A link allows at most ${maxAllowedParameters} parameters.`)
      .default([])
      .describe('Parameters that visitors can set.'),
    dates: z
      .boolean()
      .default(false)
      .describe('Whether visitors can choose the date range. Default false: the ranges of the tiles.'),
  }),
  output: z.object({
    path: z.string().describe('Path of the link on this site, with its signed part.'),
    link: z.string().describe('The signed part.'),
  }),
  errors: [...statusErrors, 'notPublic', 'notPublisher', 'sharingOff', 'tooManyPublicLinks'],
})

/** A public link with choices for visitors. */
export const publicLink = z.object({
  key: z.string().describe('Key to end the link.'),
  path: z.string().describe('Path of the link on this site, with its signed part.'),
  parameters: z.array(allowedParameter).describe('Parameters that visitors can set.'),
  dates: z.boolean().describe('Whether visitors can choose the date range.'),
  created: z.string().describe('Creation date, ISO date-time in UTC.'),
})
/** A public link with choices for visitors. */
export type PublicLink = z.infer<typeof publicLink>

/** Lists the public links with choices. */
export const listPublicLinks = defineRoute({
  name: 'listPublicLinks',
  method: 'GET',
  path: '/insights/public/links',
  summary:
    'Lists the links with choices to a public insight, newest first. For its publisher and administrators.',
  permission: write,
  query: z.object(insightName),
  output: z.object({
    items: z.array(publicLink).describe('Links, newest first; empty if the insight is not public.'),
  }),
  errors: [...statusErrors, 'notPublisher'],
})

/** Ends a public link. */
export const endPublicLink = defineRoute({
  name: 'endPublicLink',
  method: 'DELETE',
  path: '/insights/public/links',
  summary:
    'Ends a link with choices; the insight stays public. Ending a link twice has no effect. For its publisher and administrators.',
  permission: write,
  query: z.object({ ...insightName, key: z.string().min(1).max(100).describe('The `key` of the link.') }),
  output: z.object({}),
  errors: [...statusErrors, 'notPublic', 'notPublisher'],
})

/** A public view that contains data of a group. */
export const publicView = z.object({
  groupName: z.string().describe('Group of the public insight.'),
  insightName: z.string().describe('Name of the public insight.'),
  publisher: z.string().describe('Name of the user who published it.'),
  published: z.string().describe('Date of the last publication, ISO date-time in UTC.'),
  expirationDate: z
    .string()
    .nullable()
    .describe('Date on which the public view expires, ISO date-time in UTC; null means never.'),
})
/** Type of a public view that contains data of a group. */
export type PublicView = z.infer<typeof publicView>

const visibleGroup = groupText.describe('Name of the group that the public views show.')

/** Route that lists the public views with data of a group. */
export const listPublicViews = defineRoute({
  name: 'listPublicViews',
  method: 'GET',
  path: '/insights/public/views',
  summary:
    'Lists the public views of all publishers that contain data of a group: its series, files, data preps or insights. For users with RWS access to the group.',
  permission: { resource: 'Lake/Groups', mode: 'R' },
  query: z.object({ groupName: visibleGroup }),
  output: pageOf(publicView),
  errors: ['groupNotFound', 'groupForbidden'],
})

/** Ends a public view that shows a group. */
export const endPublicView = defineRoute({
  name: 'endPublicView',
  method: 'DELETE',
  path: '/insights/public/views',
  summary: 'Ends a public view that contains data of a group. For users with RWS access to the group.',
  permission: { resource: 'Lake/Groups', mode: 'RW' },
  query: z.object({
    groupName: visibleGroup,
    insightGroupName: groupText.describe('Group of the public insight.'),
    insightName: nameText,
  }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'publicViewNotFound'],
})

/** A public insight for visitors: without owner and file ids, and with tokens in place of group names. */
export const publicInsight = z.object({
  insightName: z.string().describe('Name of the insight.'),
  description: z.string().describe('Purpose; can be empty.'),
  hasLogo: z.boolean().describe('Whether it has a logo that visitors can load.'),
  modified: z.string().describe('Date of the last save, ISO date-time in UTC.'),
  expirationDate: z
    .string()
    .nullable()
    .describe('Date on which the public view expires, ISO date-time in UTC; null means never.'),
  selfActivation: z
    .object({
      tiles: z.int().min(0).max(4).describe('Number of tiles visible before the form.'),
      hiddenTiles: z.int().min(0).describe('Number of additional tiles visible after the form.'),
    })
    .nullable()
    .describe('Form that precedes further tiles; null if all tiles are visible.'),
  parameters: z.array(allowedParameter).describe('Parameters that the visitor can set.'),
  dates: z.boolean().describe('Whether the visitor can choose the date range.'),
  version: z.string().describe('Token of the version. Each version has a different token.'),
  content: insightContent.describe('The visible tiles, without workflow tiles and actions.'),
})
/** A public insight for visitors. */
export type PublicInsight = z.infer<typeof publicInsight>

/** Errors of every route for visitors. */
export const publicErrors = [
  'publicInsightNotFound',
  'publicViewEnded',
  'linkTampered',
  'tooManyRequests',
] as const

/** Returns a public insight to a visitor. */
export const getPublicInsight = defineRoute({
  name: 'getPublicInsight',
  method: 'GET',
  path: '/insight/public/proxy/:groupName/:fileName',
  summary: 'Returns a public insight for a visitor.',
  permission: 'public',
  params: publicInsightPath,
  query: visitorQuery,
  output: publicInsight,
  errors: publicErrors,
})

/** Returns a file of a public insight to a visitor. */
export const getPublicFile = defineRoute({
  name: 'getPublicFile',
  method: 'GET',
  path: '/insight/public/file/:groupName/:fileName',
  summary:
    'Returns the content of a file in a tile of a public insight, if its publisher can still share it.',
  permission: 'public',
  params: publicInsightPath,
  query: z.object({
    link,
    token,
    group: z.string().max(200).describe('Token of the group of the file.'),
    name: z.string().max(260).describe('Name of the file.'),
  }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicFileGone'],
})

/** Returns the version of a file of a public insight to a visitor. */
export const getPublicFileVersion = defineRoute({
  name: 'getPublicFileVersion',
  method: 'GET',
  path: '/insight/public/fileversion/:groupName/:fileName',
  summary:
    'Returns the current version of a file in a tile of a public insight, so that clients reload it only after a change.',
  permission: 'public',
  params: publicInsightPath,
  query: getPublicFile.query,
  output: z.object({
    version: z.string().describe('Token of the version. Each version has a different token.'),
    size: z.int().describe('Size of its content, in bytes.'),
  }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicFileGone'],
})

/** Returns the values of a parameter to a visitor. */
export const listPublicValues = defineRoute({
  name: 'listPublicValues',
  method: 'POST',
  isAudited: false,
  path: '/insight/public/values/:groupName/:fileName',
  summary:
    'Returns the values that a visitor can choose for a parameter of a public insight: those of the link, or up to 500 visible to the publisher if the link allows any value.',
  permission: 'public',
  params: publicInsightPath,
  query: visitorQuery,
  body: z.object({
    group: z.string().max(200).describe('Token of the group of the parameter.'),
    key: z.string().max(1000).describe('Name of the symbol key or metadata, case-insensitive.'),
    query: z.string().max(1000).default('').describe('Part of the value, regardless of case.'),
    symbols: symbolMap
      .default({})
      .describe(
        'Values of other parameters, which filter the result. Values that the link does not allow are ignored.',
      ),
  }),
  output: z.object({
    items: z.array(z.string()).describe('Values, ascending.'),
    totalSize: z.number().int().describe('Number of all matching values.'),
  }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicDataGone'],
})

/** Returns the logo of a public insight. */
export const getPublicLogo = defineRoute({
  name: 'getPublicLogo',
  method: 'GET',
  path: '/insight/public/logo/:groupName/:fileName',
  summary: 'Returns the logo of a public insight, a PNG or JPEG image.',
  permission: 'public',
  params: publicInsightPath,
  errors: [...publicErrors, 'logoNotFound'],
})

/** Validates the token of a submitted form. */
export const validatePublicAccess = defineRoute({
  name: 'validatePublicAccess',
  method: 'POST',
  isAudited: false,
  path: '/insight/public/access/validate',
  summary:
    'Returns whether the token of a submitted form is still valid, for one insight or for any public one.',
  permission: 'public',
  body: z.object({
    token: token.describe('Token of the submitted form.'),
    groupName: groupText.optional().describe('Group of the insight. Default: any.'),
    insightName: nameText.optional().describe('Name of the insight. Default: any.'),
  }),
  output: z.object({
    valid: z.boolean().describe('Whether the token opens all tiles.'),
    expires: z
      .string()
      .nullable()
      .describe('Expiry of the token, ISO date-time in UTC; null if it is not valid.'),
  }),
  errors: ['tooManyRequests'],
})

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `This field can have at most ${max} characters.`)
    .refine(storable, notStorable)
    // oxlint-disable-next-line no-control-regex -- the pattern rejects control characters
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'This field must be one line of text.')

/** Submits the form of a public insight. */
export const submitPublicAccess = defineRoute({
  name: 'submitPublicAccess',
  method: 'POST',
  path: '/insight/public/access',
  summary: 'Submits the form of a public insight. The returned token opens all of its tiles.',
  permission: 'public',
  body: z.object({
    ...insightName,
    company: line(200).min(1, 'Enter your company.').describe('Company of the visitor.'),
    email: line(320)
      .pipe(z.email('This is not an e-mail address.'))
      .describe('E-mail address of the visitor.'),
    fullName: line(200).min(1, 'Enter your name.').describe('First and last name of the visitor.'),
    discountCode: line(100)
      .default('')
      .describe('Code of the visitor, stored for the publisher. Default: none.'),
  }),
  output: z.object({
    token: z.string().describe(`Token that opens all tiles of this insight for ${visitorDays} days.`),
    expires: z.string().describe('Expiry of the token, ISO date-time in UTC.'),
  }),
  errors: ['formNotAsked', ...publicErrors],
})

/** A submitted form of a visitor. */
export const visitor = z.object({
  company: z.string().describe('Company.'),
  email: z.string().describe('E-mail address, not verified.'),
  fullName: z.string().describe('Name.'),
  discountCode: z.string().describe('Code; can be empty.'),
  submitted: z.string().describe('Date of the submission, ISO date-time in UTC.'),
})
/** A submitted form of a visitor. */
export type Visitor = z.infer<typeof visitor>

/** Lists the submitted forms of an insight. */
export const listVisitors = defineRoute({
  name: 'listVisitors',
  method: 'GET',
  path: '/insights/public/visitors',
  summary:
    'Lists the last 200 form submissions of visitors of an insight, newest first. For its publisher and administrators.',
  permission: write,
  query: z.object(insightName),
  output: z.object({ items: z.array(visitor).describe('Submitted forms, newest first.') }),
  errors: [...statusErrors, 'notPublisher'],
})

/** Returns the data of tiles to a visitor. */
export const getPublicTileData = defineRoute({
  name: 'getPublicTileData',
  method: 'POST',
  isAudited: false,
  path: '/insight/public/data/:groupName/:fileName',
  summary: `Returns data of tiles of a public insight that its publisher and authors can still share. ${streamedTileData}`,
  permission: 'public',
  params: publicInsightPath,
  query: visitorQuery,
  body: z.object({
    version: z.string().max(100).describe('`version` of the public insight on the page.'),
    ...tileDataChoices,
  }),
  allowsProtoNames: true,
  errors: [...publicErrors, 'publicVersionGone'],
})
