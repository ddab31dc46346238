import { z } from 'zod'
import { defineRoute, pageOf } from '@headwater/contract'
import { emailAddress, maxRecipients } from '@headwater/accounts/contract'
import { groupAccess } from '@headwater/groups/contract'
import { groupText, nameText } from '@headwater/insights/contract'
import { readInsights } from '@headwater/tile-data/contract'

const insightName = { groupName: groupText, insightName: nameText }
const emails = z
  .array(emailAddress)
  .min(1, 'Enter at least one e-mail address.')
  .max(maxRecipients, `You can enter at most ${maxRecipients} e-mail addresses at once.`)

/** A user with whom an insight is shared. */
export const insightShare = z.object({
  email: z.string().describe('Name of the user, an e-mail address.'),
  sharedBy: z.string().describe('Name of the user who shared it.'),
  sharedOn: z.string().describe('Date of the share, ISO date-time in UTC.'),
  groups: z
    .array(
      z.object({
        groupName: z.string().describe('Group whose data the insight shows.'),
        access: groupAccess.describe('Access that the share grants.'),
      }),
    )
    .describe('Grants of the share, excluding access that the user already had.'),
})
/** A user with whom an insight is shared. */
export type InsightShare = z.infer<typeof insightShare>

/** A changed grant on a group. */
export const groupEntitlement = z.object({
  groupName: z.string().describe('Name of the group.'),
  email: z.string().describe('Name of the user, an e-mail address.'),
  access: groupAccess.describe('Granted access.'),
})
/** A changed grant on a group. */
export type GroupEntitlement = z.infer<typeof groupEntitlement>

/** Result of an assignment of roles. */
export const roleAssignment = z.object({
  createdGroupsEntitlements: z.array(groupEntitlement).describe('New grants.'),
  updatedGroupsEntitlements: z.array(groupEntitlement).describe('Grants with other access than before.'),
  removedNotUsedGroupsEntitlements: z
    .array(groupEntitlement)
    .describe('Revoked grants on groups that the insight no longer uses.'),
  groupsNotShared: z
    .array(z.string())
    .describe('Groups that the caller cannot share or that no longer exist. Nobody received access to them.'),
})
/** Result of an assignment of roles. */
export type RoleAssignment = z.infer<typeof roleAssignment>

const shareErrors = ['groupNotFound', 'groupForbidden', 'insightNotFound', 'insightNotEditable'] as const

/** Shares an insight. */
export const shareInsight = defineRoute({
  name: 'shareInsight',
  method: 'POST',
  path: '/insights/share',
  summary:
    'Shares an insight: the users can read it and the groups whose data it contains. The caller must be able to share its group.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    shares: emails.describe('E-mail addresses of the users.'),
  }),
  output: roleAssignment,
  errors: [...shareErrors, 'usersNotFound', 'usersNotActivated', 'sharingOff'],
})

/** Ends shares of an insight. */
export const unshareInsight = defineRoute({
  name: 'unshareInsight',
  method: 'POST',
  path: '/insights/unshare',
  summary: 'Ends shares of an insight and revokes their grants.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    emails: emails.describe('E-mail addresses of the users.'),
  }),
  output: roleAssignment,
  errors: shareErrors,
})

/** Lists the shares of an insight. */
export const listShared = defineRoute({
  name: 'listShared',
  method: 'GET',
  path: '/insights/shared',
  summary: 'Lists the users with whom an insight is shared, by e-mail address ascending.',
  permission: readInsights,
  query: z.object({ groupName: groupText, name: nameText }),
  output: pageOf(insightShare),
  errors: ['groupNotFound', 'groupForbidden', 'insightNotFound'],
})

/** Sets the grants of the shares of an insight. */
export const assignInsightRoles = defineRoute({
  name: 'assignInsightRoles',
  method: 'PUT',
  path: '/insights/roles',
  summary:
    'Sets the access to groups for the users with whom an insight is shared. Grants of the shares on other groups are revoked.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    groups: z
      .record(z.string().max(200), groupAccess)
      .refine((groups) => Object.keys(groups).length <= 1000, 'You can set at most 1000 groups.')
      .optional()
      .describe(
        'Access by name of the group: R read, W write, S share. The caller must be able to share the group of the insight. Default, as after each save: R for every group whose data the insight contains.',
      ),
  }),
  output: roleAssignment,
  errors: shareErrors,
})
