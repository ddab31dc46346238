import { z } from 'zod'
import { insightContent } from '@headwater/tiles/contract'

/** The two kinds of insights. */
export const insightTypes = ['VISUALISATION', 'WORKFLOW'] as const
/** One of {@link insightTypes}. */
export type InsightType = (typeof insightTypes)[number]

/** A name and value of the info of an insight. */
export const infoField = z.object({
  name: z.string().min(1).max(128).describe('For example Origin, description, logo, tags.'),
  value: z.string().max(20_000).describe('Always text.'),
})
/** A parsed {@link infoField}. */
export type InfoField = z.infer<typeof infoField>

/** An insight in a list: everything but its content. */
export const insightSummary = z.object({
  id: z.string().describe('Id of the insight; it stays when the insight is saved, renamed or moved.'),
  fid: z.string().describe('Id of the latest version of the file.'),
  insightName: z.string().describe('Name without `.json`; unique in its group.'),
  fileName: z.string().describe('Name of the file, with `.json`.'),
  fileType: z.literal('INSIGHT').describe('Always INSIGHT.'),
  groupName: z.string().describe('Group it lies in.'),
  fields: z.array(infoField).describe('The info: Origin, description, logo, tags and others.'),
  description: z.string().describe('What the insight is for; empty when nobody wrote it.'),
  tags: z.array(z.string()).describe('Words to find it by, decoded.'),
  type: z.enum(insightTypes).describe('WORKFLOW when it has anything that runs.'),
  isWorkflow: z.boolean().describe('The same as a flag.'),
  owner: z.string().describe('User name of the author of the latest version.'),
  modified: z.string().describe('When the latest version was saved, ISO date-time in UTC.'),
  writeAccess: z.boolean().describe('Whether the caller may change or delete it.'),
  isPublic: z.boolean().describe('Whether anybody with the link can view it now.'),
  publicExpirationDate: z
    .string()
    .nullable()
    .describe('When its public view ends or ended, ISO date-time in UTC; null = never, or not public.'),
  isShared: z.boolean().describe('Whether it is shared with people by their e-mail addresses.'),
})
/** A parsed {@link insightSummary}. */
export type InsightSummary = z.infer<typeof insightSummary>

/** An insight with its content, upgraded to the present form. */
export const insight = insightSummary.extend({
  version: z.int().min(1).describe('How often it was saved.'),
  content: insightContent,
})
/** A parsed {@link insight}. */
export type Insight = z.infer<typeof insight>

/** Returns the value of an info field; undefined without one. */
export function infoValue(fields: readonly InfoField[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value
}
