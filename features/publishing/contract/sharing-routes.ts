import { z } from 'zod'
import { defineRoute, pageOf } from '@headwater/contract'
import { emailAddress, groupText, nameText } from '@headwater/insights/contract'
import { readInsights } from '@headwater/tiles/contract'

/** Most people that one call shares with. */
export const maxShares = 100

const insightName = { groupName: groupText, insightName: nameText }
const emails = z
  .array(emailAddress)
  .min(1, 'Name at least one e-mail address.')
  .max(maxShares, `At most ${maxShares} e-mail addresses at once.`)

/** Somebody an insight is shared with. */
export const insightShare = z.object({
  email: z.string().describe('User name of the person, an e-mail address.'),
  sharedBy: z.string().describe('User name of who shared it.'),
  sharedOn: z.string().describe('When it was shared, ISO date-time in UTC.'),
  groups: z
    .array(
      z.object({
        groupName: z.string().describe('A group the insight shows data of.'),
        access: z.enum(['R', 'RW', 'RWS']).describe('What the share lets the person do with it.'),
      }),
    )
    .describe('Grants that came with the share; what the person could do before is not listed.'),
})
export type InsightShare = z.infer<typeof insightShare>

/** A grant on a group that an assignment changed. */
export const groupEntitlement = z.object({
  groupName: z.string().describe('The group.'),
  email: z.string().describe('User name of who holds it.'),
  access: z.enum(['R', 'RW', 'RWS']).describe('What it allows.'),
})
export type GroupEntitlement = z.infer<typeof groupEntitlement>

/** What an assignment of roles did. */
export const roleAssignment = z.object({
  createdGroupsEntitlements: z.array(groupEntitlement).describe('Grants that are new.'),
  updatedGroupsEntitlements: z.array(groupEntitlement).describe('Grants that allow something else now.'),
  removedNotUsedGroupsEntitlements: z
    .array(groupEntitlement)
    .describe('Grants of groups the insight does not use any more.'),
  groupsNotShared: z
    .array(z.string())
    .describe('Groups the caller may not share or that are gone; nobody was given access to them.'),
})
export type RoleAssignment = z.infer<typeof roleAssignment>

const shareErrors = ['groupNotFound', 'groupForbidden', 'insightNotFound', 'mayNotEdit'] as const

export const shareInsight = defineRoute({
  name: 'shareInsight',
  method: 'POST',
  path: '/insights/share',
  summary:
    'Shares an insight: the people named may read it and the groups it shows data of. The caller must be allowed to share its group.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    shares: emails.describe('E-mail addresses of users to share it with.'),
  }),
  output: roleAssignment,
  errors: [...shareErrors, 'usersNotFound', 'usersNotActivated', 'sharingOff'],
})

export const unshareInsight = defineRoute({
  name: 'unshareInsight',
  method: 'POST',
  path: '/insights/unshare',
  summary: 'Takes a share back, with the grants that came with it.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    emails: emails.describe('E-mail addresses of people it is shared with.'),
  }),
  output: roleAssignment,
  errors: shareErrors,
})

export const listShared = defineRoute({
  name: 'listShared',
  method: 'GET',
  path: '/insights/shared',
  summary: 'The people an insight is shared with, by e-mail address ascending.',
  permission: readInsights,
  query: z.object({ groupName: groupText, name: nameText }),
  output: pageOf(insightShare),
  errors: ['groupNotFound', 'groupForbidden', 'insightNotFound'],
})

export const assignInsightRoles = defineRoute({
  name: 'assignInsightRoles',
  method: 'PUT',
  path: '/insights/roles',
  summary:
    'Says which groups the people an insight is shared with may use, and how. Groups that are not named lose the grants that came with it.',
  permission: readInsights,
  body: z.object({
    ...insightName,
    groups: z
      .record(z.string().max(200), z.enum(['R', 'RW', 'RWS']))
      .refine((groups) => Object.keys(groups).length <= 1000, 'At most 1000 groups.')
      .optional()
      .describe(
        'Access by the name of a group: R read, W write, S share. Needs the right to share the group of the insight. Absent: R for every group the insight shows data of, which is what each save does.',
      ),
  }),
  output: roleAssignment,
  errors: shareErrors,
})
