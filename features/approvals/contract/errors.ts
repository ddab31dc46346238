import { defineErrors } from '@headwater/contract'

/** Errors of approvals. */
export const approvalErrors = defineErrors({
  approvalNotFound: {
    status: 404,
    message: () =>
      'This approval link is not valid for you. Log in as the user who received it, or start a new run.',
  },
  approvalDecided: {
    status: 409,
    message: () => 'You have already decided on this task. Each approver can decide only once.',
  },
  approvalNeeded: {
    status: 403,
    message: ({ task, approvers }: { task: string; approvers: readonly string[] }) =>
      `“${task}” waits for the decision of ${approvers.length === 0 ? 'its approvers' : approvers.join(', ')}. Only they and administrators can approve or decline it.`,
  },
})
