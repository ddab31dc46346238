import { linkParagraph, oneLine, type Mail } from '@headwater/server-kit'
import type { StoredRun } from '@headwater/runs/server'
import { unableText } from '../contract/index.ts'
import type { StoredApproval } from './approvals-store.ts'

/** Returns the e-mail with the approver's link. The token is in the URL fragment, which browsers do not send to servers. */
export function approvalMail({
  to,
  token,
  run,
  taskName,
  approval: { message, deadline, approvesAtDeadline },
  unable,
  publicUrl,
}: {
  to: string
  token: string
  run: Pick<StoredRun, 'id' | 'name' | 'groupName'>
  taskName: string
  approval: StoredApproval
  unable: readonly string[]
  publicUrl: string | undefined
}): Mail {
  const path = `/Science/Pipeline/Approval/${run.id}#${token}`
  const lines = [
    `The pipeline ${oneLine(run.name)} (group ${oneLine(run.groupName)}) is waiting for your decision on ${oneLine(taskName)}.`,
    message.trim(),
    linkParagraph(publicUrl, path, 'Open this page to approve or decline:'),
    publicUrl === undefined
      ? 'Or log in to Headwater: open Science, Monitor and the run of this pipeline. The task that waits has the button “Open approval”.'
      : '',
    'The link is only for you and works once. Opening it does not decide anything.',
    deadline === undefined
      ? ''
      : `Without enough decisions by ${deadline.toISOString().slice(0, 16).replace('T', ' ')} UTC the task is ${approvesAtDeadline ? 'approved' : 'declined'}.`,
    unable.length === 0 ? '' : unableText(unable),
  ]
  return {
    to,
    subject: `Approval needed: ${oneLine(run.name)}, ${oneLine(taskName)}`.slice(0, 250),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}
