import { z } from 'zod'
import { defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { insight } from './insight.ts'
import { groupText, nameText } from './names.ts'
import { readInsights } from '@headwater/tile-data/contract'

/** Maximum number of versions per page. It is low because the server reads each version to compare it. */
export const maxVersionsPage = 50

const insightParams = { groupName: groupText, insightName: nameText }
const version = z.coerce.number<string | number>().int().min(1).describe('Number of the version, from 1.')
const titles = z.array(z.string()).describe('Titles of tiles.')

/** Changes of a version relative to the previous one. */
export const versionChanges = z.object({
  added: titles.describe('Titles of added tiles.'),
  removed: titles.describe('Titles of removed tiles.'),
  changed: titles.describe('Titles of changed tiles.'),
  reordered: z.boolean().describe('Whether tiles are in a different order.'),
  renamedFrom: z
    .string()
    .nullable()
    .describe('The previous name if the insight was renamed; null if it was not or if the name is unknown.'),
  moved: z.boolean().describe('Whether the insight was moved from another group.'),
  rest: z
    .array(z.string())
    .describe('Other changes: description, tags, logo, headerBoxes, footer, inputParams and others.'),
})
/** Parsed {@link versionChanges}. */
export type VersionChanges = z.infer<typeof versionChanges>

/** One version of an insight in the list. */
export const insightVersion = z.object({
  fid: z.string().describe('Id of the file of this version.'),
  version: z.int().min(1).describe('Number of the version; the latest has the highest.'),
  author: z.string().describe('User name of the author.'),
  saved: z.string().describe('Time of the save, ISO date-time in UTC.'),
  tiles: z.int().min(0).describe('Number of tiles; 0 if the definition cannot be read.'),
  readable: z.boolean().describe('Whether the definition can be read; otherwise it cannot be restored.'),
  changes: versionChanges
    .nullable()
    .describe(
      'Changes since the previous version; null for the first version, or if one of the two cannot be read.',
    ),
})
/** A parsed {@link insightVersion}. */
export type InsightVersion = z.infer<typeof insightVersion>

/** Route that lists the versions of an insight. */
export const listInsightVersions = defineRoute({
  name: 'listInsightVersions',
  method: 'GET',
  path: '/insights/:groupName/:insightName/versions',
  summary: 'The versions of an insight, newest first, each with its author and its changes.',
  permission: readInsights,
  params: z.object(insightParams),
  query: z.object({ ...pageQuery(maxVersionsPage) }),
  output: pageOf(insightVersion),
  errors: ['groupNotFound', 'insightNotFound'],
})

/** Route that returns a version of an insight. */
export const getInsightVersion = defineRoute({
  name: 'getInsightVersion',
  method: 'GET',
  path: '/insights/:groupName/:insightName/versions/:version',
  summary: 'An older version of an insight with its content, upgraded to the current format.',
  permission: readInsights,
  params: z.object({ ...insightParams, version }),
  output: insight,
  errors: ['groupNotFound', 'insightNotFound', 'versionNotFound', 'insightDamaged'],
})

/** Route that saves the content of an older version as a new version. */
export const restoreInsightVersion = defineRoute({
  name: 'restoreInsightVersion',
  method: 'POST',
  path: '/insights/:groupName/:insightName/versions/:version/restore',
  summary: 'Saves an older version of an insight as its newest version. The versions in between remain.',
  permission: readInsights,
  params: z.object({ ...insightParams, version }),
  body: z.object({
    expectedFileId: z
      .string()
      .max(100)
      .optional()
      .describe('Id of the latest version known to the caller. If a later one exists, nothing is saved.'),
  }),
  output: z.object({ fileId: z.string().describe('Id of the new version.') }),
  errors: [
    'groupNotFound',
    'groupForbidden',
    'insightNotFound',
    'versionNotFound',
    'insightDamaged',
    'insightChanged',
    'insightNotEditable',
    'saveWouldPublish',
  ],
})
