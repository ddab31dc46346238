import { z } from 'zod'
import { insightContent } from '@headwater/tile-data/contract'

/** The two kinds of insights. */
export const insightTypes = ['VISUALISATION', 'WORKFLOW'] as const
/** One of {@link insightTypes}. */
export type InsightType = (typeof insightTypes)[number]

/** An info field of an insight: name and value. */
export const infoField = z.object({
  name: z.string().min(1).max(128).describe('For example Origin, description, logo, tags.'),
  value: z.string().max(20_000).describe('Always text.'),
})
/** A parsed {@link infoField}. */
export type InfoField = z.infer<typeof infoField>

/** An insight in a list, without its content. */
export const insightSummary = z.object({
  id: z.string().describe('Id of the insight; unchanged by saves, renames and moves.'),
  fid: z.string().describe('Id of the latest version of the file.'),
  insightName: z.string().describe('Name without `.json`; unique in its group.'),
  fileName: z.string().describe('Name of the file, with `.json`.'),
  fileType: z.literal('INSIGHT').describe('Always INSIGHT.'),
  groupName: z.string().describe('Group of the insight.'),
  fields: z.array(infoField).describe('The info: Origin, description, logo, tags and others.'),
  description: z.string().describe('Description; empty without one.'),
  tags: z.array(z.string()).describe('Tags, decoded.'),
  type: z.enum(insightTypes).describe('WORKFLOW if it contains anything that runs, otherwise VISUALISATION.'),
  isWorkflow: z.boolean().describe('The same value as a boolean.'),
  owner: z.string().describe('User name of the author of the latest version.'),
  modified: z.string().describe('Time of the latest save, ISO date-time in UTC.'),
  writeAccess: z.boolean().describe('Whether the caller can change or delete it.'),
  isPublic: z.boolean().describe('Whether anyone with the link can currently view it.'),
  publicExpirationDate: z
    .string()
    .nullable()
    .describe('Expiry of the public view, ISO date-time in UTC; null means never, or not public.'),
  isShared: z.boolean().describe('Whether it is shared with individual e-mail addresses.'),
})
/** A parsed {@link insightSummary}. */
export type InsightSummary = z.infer<typeof insightSummary>

/** An insight with its content, upgraded to the current format. */
export const insight = insightSummary.extend({
  version: z.int().min(1).describe('Number of saves.'),
  content: insightContent,
})
/** A parsed {@link insight}. */
export type Insight = z.infer<typeof insight>

/** Returns the value of an info field; undefined if it is missing. */
export function infoValue(fields: readonly InfoField[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value
}
