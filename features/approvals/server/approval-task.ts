import { formatUtc } from '@headwater/server-kit'
import { isEmailAddress } from '@headwater/tasks/core'
import type { TaskKind } from '@headwater/tasks/server'
import { approvalTaskName, maxApprovers, unableText } from '../contract/index.ts'
import type { ApprovalsStore } from './approvals-store.ts'

const maxMessageLength = 5000
const maxDeadlineHours = 24 * 365

/** Settings of the task, from its inputs. */
export interface ApprovalSettings {
  /** Addresses in lower case. */
  approvers: string[]
  /** Number of required approvals. */
  required: number
  /** Text of the e-mail. */
  message: string
  /** Hours until the default decision; undefined if there is no deadline. */
  deadlineHours: number | undefined
  /** Default decision. */
  approvesAtDeadline: boolean
}

/** Parses the settings of an approval; returns an error message if they are invalid. */
export function readApprovalSettings(inputs: Readonly<Record<string, string>>): ApprovalSettings | string {
  const { approvers = '', required = '', message = '', deadlineHours = '', atDeadline = '' } = inputs
  const addresses = [
    ...new Set(
      approvers
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ]
  if (addresses.length === 0) return 'Enter at least one approver.'
  if (addresses.length > maxApprovers)
    return `A task can have at most ${maxApprovers} approvers; this one has ${addresses.length}.`
  const wrong = addresses.find((each) => !isEmailAddress(each))
  if (wrong !== undefined) return `“${wrong.slice(0, 100)}” is not an e-mail address.`
  const count = required.trim() === '' ? 1 : Number(required)
  if (!Number.isInteger(count) || count < 1 || count > addresses.length)
    return `\`required\` must be a whole number from 1 to the number of approvers, ${addresses.length}.`
  if (message.length > maxMessageLength) return `\`message\` can have at most ${maxMessageLength} characters.`
  const hours = deadlineHours.trim() === '' ? undefined : Number(deadlineHours)
  if (hours !== undefined && !(hours > 0 && hours <= maxDeadlineHours))
    return `\`deadlineHours\` must be a number above 0, at most ${maxDeadlineHours}.`
  if (!['', 'DECLINE', 'APPROVE'].includes(atDeadline.trim().toUpperCase()))
    return '`atDeadline` must be DECLINE or APPROVE.'
  return {
    approvers: addresses,
    required: count,
    message,
    deadlineHours: hours,
    approvesAtDeadline: atDeadline.trim().toUpperCase() === 'APPROVE',
  }
}

/** Creates the task kind that waits for approvers. A run pauses before the task, which executes once it is approved. */
export function createApprovalTask({
  store,
  findUnable,
}: {
  /** Reads decisions about steps. */
  store: Pick<ApprovalsStore, 'decisionOf'>
  /** Returns the addresses of users who cannot decide. */
  findUnable: (addresses: readonly string[]) => Promise<string[]>
}): TaskKind {
  const text = { type: 'INPUT', valueType: 'TEXT', value: '', defaultValue: '', dynamic: false } as const
  const output = { ...text, type: 'OUTPUT', optional: true } as const
  return {
    definitionId: approvalTaskName,
    definitionName: approvalTaskName,
    readableName: 'Approval',
    category: 'Control',
    description:
      'Pauses the run and requests a decision from approvers by e-mail. The next tasks run when enough approvers have approved.',
    imageUrl: null,
    cpu: 1,
    memory: 64,
    timeout: 60,
    params: [
      {
        ...text,
        name: 'approvers',
        valueType: 'ADDRESSES',
        optional: false,
        description: `E-mail addresses of the approvers, at most ${maxApprovers}. Administrators can also decide.`,
      },
      {
        ...text,
        name: 'message',
        valueType: 'LONG_TEXT',
        optional: true,
        description: 'Text of the e-mail, for example “Publish the prices of May?”',
      },
      {
        ...text,
        name: 'required',
        valueType: 'NUMBER',
        defaultValue: '1',
        optional: true,
        description: 'Number of required approvals. A single refusal declines the task. Default 1.',
      },
      {
        ...text,
        name: 'deadlineHours',
        valueType: 'NUMBER',
        optional: true,
        description: 'Hours until the default decision. Default: the run waits indefinitely.',
      },
      {
        ...text,
        name: 'atDeadline',
        valueType: 'CHOICE',
        choices: ['DECLINE', 'APPROVE'],
        defaultValue: 'DECLINE',
        optional: true,
        description: 'Decision if there are not enough approvals by the deadline.',
      },
      { ...output, name: 'decidedBy', description: 'Addresses of the users who approved.' },
      { ...output, name: 'decidedAt', description: 'Time of the last approval, ISO 8601 in UTC.' },
    ],
    openParams: false,
    repeatable: true,
    readsReferences: false,
    async problemOf(inputs) {
      // Values from earlier tasks are not yet known.
      if (inputs['approvers'] === undefined) return undefined
      const settings = readApprovalSettings(inputs)
      if (typeof settings === 'string') return settings
      const unable = await findUnable(settings.approvers)
      return unable.length === 0 ? undefined : unableText(unable)
    },
    async run({ run, eId }) {
      const approval = await store.decisionOf(run.jobId, eId)
      if (approval?.isApproved !== true)
        return {
          status: 'ERROR',
          message: 'The approvers did not receive the request. Run the pipeline again.',
        }
      const given = approval.approvers.filter(({ isApproved }) => isApproved === true)
      const times = given.flatMap(({ decidedAt }) => decidedAt ?? [])
      const last = times.toSorted((a, b) => a.getTime() - b.getTime()).at(-1)
      const { administrator } = approval
      const addresses = given.map((approver) => approver.address)
      const names = [...addresses, ...(administrator === undefined ? [] : [administrator])].join(', ')
      const isByDeadline = administrator === undefined && given.length < approval.required
      return {
        status: 'INFO',
        message: isByDeadline ? 'Approved at the deadline.' : `Approved by ${names}.`,
        outputs: {
          decidedBy: names,
          decidedAt: last === undefined ? '' : `${formatUtc(last)}Z`,
        },
      }
    },
  }
}
