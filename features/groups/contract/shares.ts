import { z } from 'zod'
import { emailAddress, maxRecipients } from '@headwater/accounts/contract'
import { defineRoute, pageOf } from '@headwater/contract'
import { groupAccess } from './access.ts'

/** Maximum number of suggested e-mail addresses. */
export const maxSuggestedEmails = 20

const read = { resource: 'Lake/Groups', mode: 'R' } as const
const write = { resource: 'Lake/Groups', mode: 'RW' } as const
const name = z.object({ name: z.string().max(200).describe('Name of the group, URL-encoded.') })
const groupName = z.string().min(1).max(200).describe('Name of the group.')
const email = emailAddress.describe('E-mail address of a user, case-insensitive.')
const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]).nullish()

/** Returns the message that explains why a group cannot be shared with its owner. */
export function ownerMessage(email: string, groupName: string): string {
  return `${email} owns the group ${groupName} and has all access. Remove this address.`
}

/** A share: the access of one user to one group. */
export const share = z.object({
  email,
  access: groupAccess.describe('Access of the user: R read, W write, S share. R is a viewer, RWS an editor.'),
  dataStart: dateOrTime.describe(
    'Start of the readable data: a date or a date-time in `timeZone`, included. The default null means no start. A share with a range has the access R. The user can read only the points in the range, the symbols with a point in the range, and the files whose data lie within the range.',
  ),
  dataEnd: dateOrTime.describe(
    'End of the readable data: a date, included, or a date-time, excluded, in `timeZone`. The default null means no end.',
  ),
  timeZone: z
    .string()
    .max(64)
    .default('UTC')
    .describe('IANA time zone of `dataStart` and `dataEnd` without an offset. Default UTC.'),
  expirationDate: dateOrTime.describe(
    'Expiry of the share: a date (inclusive) or a date-time, in UTC unless it has a zone. The default null means never.',
  ),
  url: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Page to which the e-mail links: a path such as `/Lake/Groups/Prices`, or a URL of this installation. Default: the page of the group.',
    ),
  message: z
    .string()
    .trim()
    .max(4000, 'A message can have at most 4000 characters.')
    .default('')
    .describe('Message in the e-mail, at most 4000 characters. Default: empty.'),
  sendMessage: z.boolean().default(false).describe('Whether the user receives an e-mail. Default false.'),
  groupName,
  merge: z
    .boolean()
    .default(false)
    .describe(
      'Whether to merge this share with an existing share of the user. The merged share has the access and data of both, but its expiry is chosen so that nothing lasts longer than one of them allows; if both have a range, the new one applies. Default false = the existing share is replaced.',
    ),
})
/** A share, as a type. */
export type Share = z.output<typeof share>

/** A user of a group, with the source of the access. */
export const groupUser = z.object({
  email: z.string().describe('Name of the user, an e-mail address.'),
  access: groupAccess.describe('Access that this source gives.'),
  source: z
    .enum(['owner', 'share', 'insight'])
    .describe('Source of the access: ownership of the group, a share, or the share of an insight.'),
  sourceId: z.string().nullable().describe('Id of the insight; null for other sources.'),
  expirationDate: z.string().nullable().describe('End of the share, ISO date-time in UTC; null for never.'),
  dataStart: z
    .string()
    .nullable()
    .describe('Start of the readable data, included, ISO date-time in UTC; null for no start.'),
  dataEnd: z
    .string()
    .nullable()
    .describe('End of the readable data, excluded, ISO date-time in UTC; null for no end.'),
  sharedBy: z.string().nullable().describe('Name of the user who shared the group; null if unknown.'),
  sharedOn: z.string().nullable().describe('Date of the share, ISO date-time in UTC; null for the owner.'),
})
/** A user of a group, as a type. */
export type GroupUser = z.infer<typeof groupUser>

const shareErrors = ['groupNotFound', 'groupForbidden', 'sharingOff'] as const

/** Route `POST /file/group/share`. */
export const shareGroups = defineRoute({
  name: 'shareGroups',
  method: 'POST',
  path: '/file/group/share',
  summary:
    'Shares groups with users, or changes their shares. All entries take effect, or none. The caller needs share access to each group and can give only access that the caller has.',
  permission: write,
  body: z.object({
    sharesList: z
      .array(share)
      .min(1, 'Enter at least one share.')
      .max(maxRecipients, `You can send at most ${maxRecipients} shares at once.`)
      .describe('Shares, each for another user or group.'),
  }),
  output: z.object({}),
  errors: [...shareErrors, 'shareForbidden', 'usersNotFound', 'usersNotActivated'],
})

/** Route `POST /file/group/unshare`. */
export const unshareGroup = defineRoute({
  name: 'unshareGroup',
  method: 'POST',
  path: '/file/group/unshare',
  summary: 'Removes shares of a group. Access from other sources, such as shared insights, remains.',
  permission: write,
  body: z.object({
    groupName,
    emails: z
      .array(email)
      .min(1, 'Enter at least one e-mail address.')
      .max(maxRecipients, `You can enter at most ${maxRecipients} e-mail addresses at once.`)
      .describe('E-mail addresses of the users; addresses without a share are ignored.'),
  }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'shareForbidden'],
})

/** Route `GET /file/group/:name/users`. */
export const listGroupUsers = defineRoute({
  name: 'listGroupUsers',
  method: 'GET',
  path: '/file/group/:name/users',
  summary:
    'Users of a group with the source of each access: the owner first, then by e-mail address. Needs share access.',
  permission: read,
  params: name,
  output: pageOf(groupUser),
  errors: ['groupNotFound', 'groupForbidden'],
})

/** Route `GET /file/group/:name/emails`. */
export const searchShareEmails = defineRoute({
  name: 'searchShareEmails',
  method: 'GET',
  path: '/file/group/:name/emails',
  summary:
    'E-mail addresses of active users that contain a text, ascending. Needs share access to the group.',
  permission: write,
  params: name,
  query: z.object({
    query: z
      .string()
      .trim()
      .min(2, 'Enter at least 2 characters.')
      .max(320)
      .describe('Part of the address, at least 2 characters, case-insensitive.'),
  }),
  output: z.object({
    emails: z.array(z.string()).describe(`Matching addresses, ${maxSuggestedEmails} at most.`),
  }),
  errors: shareErrors,
})

/** Route `GET /file/group/:name/shareable`. */
export const checkGroupShareable = defineRoute({
  name: 'checkGroupShareable',
  method: 'GET',
  path: '/file/group/:name/shareable',
  summary: 'Whether the caller can share a group.',
  permission: read,
  params: name,
  output: z.object({
    shareable: z.boolean().describe('Whether the caller can share the group.'),
    reason: z
      .string()
      .nullable()
      .describe('Reason why the caller cannot share the group; null if the caller can share it.'),
  }),
  errors: ['groupNotFound'],
})
