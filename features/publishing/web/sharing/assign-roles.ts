import { call, toast } from '@headwater/web-kit'
import { assignInsightRoles } from '../../contract/index.ts'

/** After a save, updates the grants of the shares of an insight to its current groups. */
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
      title: 'People with access to this insight can now read more groups',
      text: opened.join(', '),
    })
}
