import { call, toast } from '@headwater/web-kit'
import { assignInsightRoles } from '../../contract/index.ts'

/** Gives the people an insight is shared with access to the groups that it shows after a save, and to no earlier ones. */
export async function assignRoles({
  groupName,
  insightName,
}: {
  groupName: string
  insightName: string
}): Promise<void> {
  const outcome = await call(assignInsightRoles, { body: { groupName, insightName } }, { keep: true })
  const opened = [...new Set(outcome.createdGroupsEntitlements.map(({ groupName: name }) => name))]
  if (opened.length > 0)
    toast({
      kind: 'info',
      title: 'People this insight is shared with can read more now',
      text: opened.join(', '),
    })
}
