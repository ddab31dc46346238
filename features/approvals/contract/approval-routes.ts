import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Permission that approvers need to decide. */
export const readsApprovals = { resource: 'Science/Pipeline', mode: 'R' } as const

/** Name of the built-in task that waits for the decision of approvers. */
export const approvalTaskName = 'approval'
/** Maximum number of approvers of one task. */
export const maxApprovers = 20

const time = 'ISO 8601 in UTC without a zone'

/** Returns the approval for the token of a link, or an approval of a run. */
export const getApproval = defineRoute({
  name: 'getApproval',
  method: 'POST',
  isAudited: false,
  path: '/mgmt/pipeline/approval',
  summary:
    'With the token from an e-mail to an approver, returns its approval; only this approver can read it. Without a token, returns an approval of a run, for its approvers, the user of the run and administrators. Reading does not decide anything.',
  permission: readsApprovals,
  body: z.object({
    token: z
      .string()
      .max(200)
      .optional()
      .describe('Token from the link. Default: none; returns an approval of the run.'),
    jobId: z.string().max(64).describe('Job id of the run, from the link.'),
    nodeId: z
      .string()
      .max(100)
      .optional()
      .describe('Task within the pipeline; ignored with a token. Default: the first paused approval.'),
  }),
  output: z.object({
    pipelineName: z.string().describe('Name of the pipeline.'),
    groupName: z.string().describe('Group of the pipeline; empty if it has none.'),
    taskName: z.string().describe('Name of the task within the pipeline.'),
    message: z.string().describe('Text for the approvers; can be empty.'),
    requestedAt: z.string().describe(`Time of the request, ${time}.`),
    deadline: z
      .string()
      .nullable()
      .describe(`Time of the default decision, ${time}; null if there is no deadline.`),
    approvesAtDeadline: z
      .boolean()
      .describe('Whether the task is approved at the deadline; otherwise it is declined.'),
    required: z.int().describe('Number of approvals that the task needs.'),
    state: z
      .enum(['WAITING', 'DECIDED', 'APPROVED', 'DECLINED', 'ENDED'])
      .describe(
        'WAITING: the caller has not decided. DECIDED: the caller has decided, others have not. APPROVED and DECLINED: the decision about the task. ENDED: the run no longer waits for it.',
      ),
    canDecide: z
      .boolean()
      .describe(
        'Whether the caller can approve or decline now, with the token or as the authenticated user.',
      ),
    approvers: z
      .array(
        z.object({
          userName: z.string().describe('Address of the approver.'),
          isApproved: z.boolean().nullable().describe('The decision; null before it.'),
          time: z.string().nullable().describe(`Time of the decision, ${time}; null before it.`),
        }),
      )
      .describe('All approvers, ordered by address.'),
    unableApprovers: z
      .array(z.string())
      .describe(
        'Addresses of approvers who have not decided and cannot, because their account is inactive or lacks access; empty after the decision.',
      ),
    decidedBy: z
      .string()
      .nullable()
      .describe('Administrator who decided instead of the approvers; null otherwise.'),
  }),
  errors: ['approvalNotFound'],
})
