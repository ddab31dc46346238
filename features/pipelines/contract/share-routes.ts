import { z } from 'zod'
import { groupAccess } from '@headwater/groups/contract'
import { emailAddress, maxRecipients } from '@headwater/accounts/contract'
import { defineRoute } from '@headwater/contract'
import { writesPipelines } from './route-parts.ts'

/** Result or preview of sharing a pipeline. */
export const pipelineSharing = z.object({
  groups: z
    .array(
      z.object({
        groupName: z.string().describe('Name of the group.'),
        canShare: z
          .boolean()
          .describe(
            'Whether the caller can share the group. Nobody receives access to groups that the caller cannot share.',
          ),
        recipients: z
          .array(
            z.object({
              email: z.string().describe('E-mail address of the user.'),
              before: groupAccess.nullable().describe('Access before the share; null if the user has none.'),
              replacesRange: z
                .boolean()
                .describe(
                  'Whether the user has a share with a date range, which becomes a share of all data.',
                ),
              after: groupAccess.describe('Access after the share. It is never lower than before.'),
            }),
          )
          .describe('Users, in the order of the request; none for a group that the caller cannot share.'),
      }),
    )
    .describe(
      'All groups that the pipeline uses, its own group first. Includes the groups of pipelines that it runs if the caller can read these pipelines.',
    ),
  groupsNotShared: z
    .array(z.string())
    .describe('Names of groups that the caller cannot share or that do not exist.'),
  tasksWithExpressions: z
    .array(z.string())
    .describe(
      'Names of tasks with expressions. Groups that are computed by expressions in a run are not listed.',
    ),
})
/** Result or preview of sharing a pipeline. */
export type PipelineSharing = z.output<typeof pipelineSharing>

/** Shares a pipeline. */
export const sharePipeline = defineRoute({
  name: 'sharePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/share',
  summary:
    'Shares a pipeline: the users receive an e-mail and read access to all groups that the pipeline uses. The caller needs RW access to Lake/Groups and must be able to share the group of the pipeline. Other groups that the caller cannot share are omitted and listed.',
  permission: writesPipelines,
  body: z
    .object({
      pipelineId: z.string().max(64).describe('Id of the pipeline.'),
      url: z
        .string()
        .max(2000)
        .refine((text) => pathOf(text) !== undefined, 'Send the URL of a page below /Science/.')
        .describe('URL of the pipeline page. The e-mail links to its path on this server.'),
      access: z
        .literal('R', 'A pipeline is shared with the access R.')
        .default('R')
        .describe('Access to grant, always R.'),
      message: z
        .string()
        .max(2000, 'The message can have at most 2000 characters.')
        .default('')
        .describe('Text for the e-mail, at most 2000 characters. Default: empty.'),
      emails: z
        .array(emailAddress)
        .max(maxRecipients, `You can enter at most ${maxRecipients} e-mail addresses at once.`)
        .describe('E-mail addresses of the users. A preview can have none.'),
      groupNames: z
        .array(z.string().max(200))
        .max(10_000)
        .optional()
        .describe(
          'Groups that the preview listed. If the pipeline now uses any other group, nothing is shared. Default: any groups.',
        ),
      dryRun: z.boolean().default(false).describe('Whether to return only a preview. Default false.'),
    })
    .refine(({ emails, dryRun }) => dryRun || emails.length > 0, {
      error: 'Enter at least one e-mail address.',
      path: ['emails'],
    }),
  output: pipelineSharing,
  errors: [
    'pipelineNotFound',
    'pipelineInvalid',
    'groupsChanged',
    'groupForbidden',
    'usersNotFound',
    'usersNotActivated',
    'sharingOff',
  ],
})

/** Returns the path in the URL of a pipeline page; undefined for other URLs. */
export function pathOf(url: string): string | undefined {
  const base = 'http://localhost'
  if (!URL.canParse(url, base)) return undefined
  const { protocol, pathname, search } = new URL(url, base)
  const isPage = /^https?:$/.test(protocol) && /^\/science\//i.test(pathname)
  return isPage ? `${pathname}${search}` : undefined
}
