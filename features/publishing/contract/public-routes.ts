import { z } from 'zod'
import { defineRoute, pageOf } from '@headwater/contract'
import { symbolMap } from '@headwater/symbols/contract'
import { insightContent, readInsights, streamedTileData, tileDataChoices } from '@headwater/tiles/contract'
import { groupText, nameText, notStorable, storable } from '@headwater/insights/contract'

/** How many tiles may be seen before the form of a public view is filled in. */
export const selfActivationTiles = [0, 1, 2, 3, 4] as const

/** Most values that a public link allows for one parameter, and most parameters. */
export const maxAllowedValues = 200
export const maxAllowedParameters = 20

/** Most links with choices that an insight has at once. */
export const maxPublicLinks = 100

/** The longest that the form in front of the tiles counts as filled in, in days. */
export const visitorDays = 30

const insightName = { groupName: groupText, insightName: nameText }
const link = z
  .string()
  .max(20_000)
  .default('')
  .describe('The signed part of a public link: which parameters it allows. Empty: none.')
const token = z
  .string()
  .max(2000)
  .default('')
  .describe('What the form in front of the tiles answered with; empty when it was not filled in.')
/** What a visitor brings along. */
export const visitorQuery = z.object({ link, token })
/** Which public insight is meant. */
export const publicPlace = z.object({
  groupName: groupText,
  fileName: z.string().min(1).max(260).describe('Name of the file of the insight, with or without `.json`.'),
})

/** A parameter that visitors may change, and to what. */
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
    .min(1, 'A parameter needs a value at least.')
    .max(maxAllowedValues, `A parameter has at most ${maxAllowedValues} values.`)
    .describe('The values it may take besides those of the insight.'),
})
export type AllowedParameter = z.infer<typeof allowedParameter>

/** Whether and until when an insight is public. */
export const publicStatus = z.object({
  isPublic: z.boolean().describe('Whether anybody with the link may look at it now.'),
  expirationDate: z
    .string()
    .nullable()
    .describe('When that ends, ISO date-time in UTC; null = it does not end by itself.'),
  publisher: z
    .string()
    .nullable()
    .describe('In whose name visitors are answered; null when it is not public.'),
})
export type PublicStatus = z.infer<typeof publicStatus>

const write = { resource: 'Insight/PublicView', mode: 'RW' } as const
const statusErrors = ['groupNotFound', 'groupForbidden', 'insightNotFound', 'mayNotEdit'] as const

export const getPublicStatus = defineRoute({
  name: 'getPublicStatus',
  method: 'GET',
  path: '/insights/public',
  summary: 'Whether an insight is public.',
  permission: readInsights,
  query: z.object(insightName),
  output: publicStatus,
  errors: ['groupNotFound', 'insightNotFound'],
})

export const updatePublicStatus = defineRoute({
  name: 'updatePublicStatus',
  method: 'PUT',
  path: '/insights/public',
  summary:
    'Publishes or unpublishes an insight, with an optional expiry. Visitors see what the caller may share; the caller needs RWS on every group that the insight shows. Publishing it again invalidates earlier links.',
  permission: write,
  body: z.object({
    ...insightName,
    isPublic: z.boolean().describe('Whether anybody with the link may look at it.'),
    expirationDate: z
      .union([z.iso.date(), z.iso.datetime({ local: true, offset: true })])
      .nullish()
      .describe(
        'When that ends: a date, which counts to its end, or a date-time, in UTC when it names no zone. Absent or null = it does not end by itself.',
      ),
  }),
  output: publicStatus,
  errors: [...statusErrors, 'expirationPast', 'expirationTooLate', 'publishingNotAllowed', 'sharingOff'],
})

export const createPublicLink = defineRoute({
  name: 'createPublicLink',
  method: 'POST',
  path: '/insights/public/link',
  summary:
    'Creates a link to a public insight with the parameters and values that visitors may choose. The same choices give the link that exists. Only the publisher and administrators create a link with parameters.',
  permission: write,
  body: z.object({
    ...insightName,
    parameters: z
      .array(allowedParameter)
      .max(maxAllowedParameters, `A link allows at most ${maxAllowedParameters} parameters.`)
      .default([])
      .describe('What visitors may set.'),
    dates: z
      .boolean()
      .default(false)
      .describe('Whether visitors may choose the range of dates. Default: as the tiles say.'),
  }),
  output: z.object({
    path: z.string().describe('Path of the link on this site, with its signed part.'),
    link: z.string().describe('The signed part alone.'),
  }),
  errors: [...statusErrors, 'notPublic', 'notPublisher', 'sharingOff', 'tooManyPublicLinks'],
})

/** A link that lets visitors of a public insight choose something. */
export const publicLink = z.object({
  key: z.string().describe('What the link is ended by.'),
  path: z.string().describe('Path of the link on this site, with its signed part.'),
  parameters: z.array(allowedParameter).describe('What visitors may set.'),
  dates: z.boolean().describe('Whether visitors may choose the range of dates.'),
  created: z.string().describe('When it was created, ISO date-time in UTC.'),
})
export type PublicLink = z.infer<typeof publicLink>

export const listPublicLinks = defineRoute({
  name: 'listPublicLinks',
  method: 'GET',
  path: '/insights/public/links',
  summary:
    'Lists the links to a public insight that let visitors choose something, newest first. For its publisher and administrators.',
  permission: write,
  query: z.object(insightName),
  output: z.object({ items: z.array(publicLink).describe('Newest first; empty when it is not public.') }),
  errors: [...statusErrors, 'notPublisher'],
})

export const endPublicLink = defineRoute({
  name: 'endPublicLink',
  method: 'DELETE',
  path: '/insights/public/links',
  summary:
    'Ends one link with choices; the insight stays public. A link that has ended already stays ended. For its publisher and administrators.',
  permission: write,
  query: z.object({ ...insightName, key: z.string().min(1).max(100).describe('The `key` of the link.') }),
  output: z.object({}),
  errors: [...statusErrors, 'notPublic', 'notPublisher'],
})

/** A public view that shows something of a group. */
export const publicView = z.object({
  groupName: z.string().describe('Group of the public insight.'),
  insightName: z.string().describe('Name of the public insight.'),
  publisher: z.string().describe('Who published it.'),
  published: z.string().describe('When it was published last, ISO date-time in UTC.'),
  expirationDate: z
    .string()
    .nullable()
    .describe('When the public view ends, ISO date-time in UTC; null = it does not end by itself.'),
})
export type PublicView = z.infer<typeof publicView>

const shownGroup = groupText.describe('Name of the group that the public views show.')

export const listPublicViews = defineRoute({
  name: 'listPublicViews',
  method: 'GET',
  path: '/insights/public/views',
  summary:
    'Public views that show a group, of whichever publisher: its series, files, data preps or insights. For users with RWS on the group.',
  permission: { resource: 'Lake/Groups', mode: 'R' },
  query: z.object({ groupName: shownGroup }),
  output: pageOf(publicView),
  errors: ['groupNotFound', 'groupForbidden'],
})

export const endPublicView = defineRoute({
  name: 'endPublicView',
  method: 'DELETE',
  path: '/insights/public/views',
  summary: 'Ends a public view that shows a group. For users with RWS on the group.',
  permission: { resource: 'Lake/Groups', mode: 'RW' },
  query: z.object({
    groupName: shownGroup,
    insightGroupName: groupText.describe('Group of the public insight.'),
    insightName: nameText,
  }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'publicViewNotFound'],
})

/** What a visitor sees of an insight: no owner, no ids of files, and words of its own for the groups. */
export const publicInsight = z.object({
  insightName: z.string().describe('Name of the insight.'),
  description: z.string().describe('What it is for; may be empty.'),
  hasLogo: z.boolean().describe('Whether it has a logo that visitors may load.'),
  modified: z.string().describe('When it was last saved, ISO date-time in UTC.'),
  expirationDate: z.string().nullable().describe('When the public view ends; null = not by itself.'),
  selfActivation: z
    .object({
      tiles: z.int().min(0).max(4).describe('Tiles that are shown before the form is filled in.'),
      hiddenTiles: z.int().min(0).describe('Tiles that are shown after.'),
    })
    .nullable()
    .describe('Null when all tiles are shown.'),
  parameters: z.array(allowedParameter).describe('What the visitor may set.'),
  dates: z.boolean().describe('Whether the visitor may choose the range of dates.'),
  version: z.string().describe('A word that is another one for every version of the insight.'),
  content: insightContent.describe('The tiles that are shown, without workflow tiles and actions.'),
})
export type PublicInsight = z.infer<typeof publicInsight>

/** Errors of every route of visitors. */
export const publicErrors = [
  'publicInsightNotFound',
  'publicViewEnded',
  'linkTampered',
  'tooManyRequests',
] as const

export const getPublicInsight = defineRoute({
  name: 'getPublicInsight',
  method: 'GET',
  path: '/insight/public/proxy/:groupName/:fileName',
  summary: 'A public insight as a visitor sees it.',
  permission: 'public',
  params: publicPlace,
  query: visitorQuery,
  output: publicInsight,
  errors: publicErrors,
})

export const getPublicFile = defineRoute({
  name: 'getPublicFile',
  method: 'GET',
  path: '/insight/public/file/:groupName/:fileName',
  summary:
    'The content of a file that a tile of a public insight shows, as far as its publisher may see it now.',
  permission: 'public',
  params: publicPlace,
  query: z.object({
    link,
    token,
    group: z.string().max(200).describe('Word of the public insight for the group of the file.'),
    name: z.string().max(260).describe('Name of the file.'),
  }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicFileGone'],
})

export const getPublicFileVersion = defineRoute({
  name: 'getPublicFileVersion',
  method: 'GET',
  path: '/insight/public/fileversion/:groupName/:fileName',
  summary:
    'Which version of a file a tile of a public insight shows now, to load it again only when it is another.',
  permission: 'public',
  params: publicPlace,
  query: getPublicFile.query,
  output: z.object({
    version: z.string().describe('A word that is another one for every version of the file.'),
    size: z.int().describe('Bytes of its content.'),
  }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicFileGone'],
})

export const listPublicValues = defineRoute({
  name: 'listPublicValues',
  method: 'POST',
  path: '/insight/public/values/:groupName/:fileName',
  summary:
    'Values that a visitor may choose for a parameter of a public insight: those of the link, or up to 500 that the publisher sees when the link allows any.',
  permission: 'public',
  params: publicPlace,
  query: visitorQuery,
  body: z.object({
    group: z.string().max(200).describe('Word of the public insight for the group of the parameter.'),
    key: z.string().max(1000).describe('Name of the symbol key or metadata, in any letter case.'),
    query: z.string().max(1000).default('').describe('Part of the value, in any letter case.'),
    symbols: symbolMap
      .default({})
      .describe(
        'Values of other parameters that narrow the choice; those the link does not allow are ignored.',
      ),
  }),
  output: z.object({ items: z.array(z.string()).describe('The values, ascending.') }),
  errors: [...publicErrors, 'questionNotInInsight', 'publicDataGone'],
})

export const getPublicLogo = defineRoute({
  name: 'getPublicLogo',
  method: 'GET',
  path: '/insight/public/logo/:groupName/:fileName',
  summary: 'The logo of a public insight, a png or jpeg picture.',
  permission: 'public',
  params: publicPlace,
  errors: [...publicErrors, 'logoNotFound'],
})

export const validatePublicAccess = defineRoute({
  name: 'validatePublicAccess',
  method: 'POST',
  path: '/insight/public/access/validate',
  summary: 'Returns whether a token of the form still opens all tiles of the insight.',
  permission: 'public',
  body: z.object({ token: token.describe('What the form answered with.'), ...insightName }),
  output: z.object({
    valid: z.boolean().describe('Whether all tiles are shown with it.'),
    expires: z.string().nullable().describe('Until when, ISO date-time in UTC; null when it is not valid.'),
  }),
  errors: ['tooManyRequests'],
})

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters.`)
    .refine(storable, notStorable)
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'This is one line of text.')

export const submitPublicAccess = defineRoute({
  name: 'submitPublicAccess',
  method: 'POST',
  path: '/insight/public/access',
  summary: 'Submits the form of a public insight. The returned token opens all of its tiles.',
  permission: 'public',
  body: z.object({
    ...insightName,
    company: line(200).min(1, 'Name your company.').describe('Company of the visitor.'),
    email: line(320)
      .pipe(z.email('This is not an e-mail address.'))
      .describe('E-mail address of the visitor.'),
    fullName: line(200).min(1, 'Name yourself.').describe('First and last name of the visitor.'),
    discountCode: line(100).default('').describe('A code the visitor was given; kept for who published.'),
  }),
  output: z.object({
    token: z.string().describe(`Opens all tiles of this insight for ${visitorDays} days.`),
    expires: z.string().describe('Until when, ISO date-time in UTC.'),
  }),
  errors: ['formNotAsked', ...publicErrors],
})

/** One who filled in the form. */
export const visitor = z.object({
  company: z.string().describe('Company.'),
  email: z.string().describe('E-mail address; nobody has checked it.'),
  fullName: z.string().describe('Name.'),
  discountCode: z.string().describe('Code; may be empty.'),
  submitted: z.string().describe('When, ISO date-time in UTC.'),
})
export type Visitor = z.infer<typeof visitor>

export const listVisitors = defineRoute({
  name: 'listVisitors',
  method: 'GET',
  path: '/insights/public/visitors',
  summary:
    'Lists the last 200 form submissions of visitors of an insight, newest first. For its publisher and administrators.',
  permission: write,
  query: z.object(insightName),
  output: z.object({ items: z.array(visitor).describe('Newest first.') }),
  errors: [...statusErrors, 'notPublisher'],
})

export const getPublicTileData = defineRoute({
  name: 'getPublicTileData',
  method: 'POST',
  path: '/insight/public/data/:groupName/:fileName',
  summary: `Data of tiles of a public insight, as far as its publisher and its authors may share them now. ${streamedTileData}`,
  permission: 'public',
  params: publicPlace,
  query: visitorQuery,
  body: z.object({
    version: z.string().max(100).describe('`version` of the public insight that the page shows.'),
    ...tileDataChoices,
  }),
  allowsProtoNames: true,
  errors: [...publicErrors, 'publicVersionGone'],
})
