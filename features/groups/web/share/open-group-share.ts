import { useCan } from '@headwater/accounts/web'
import { openTool, useProductConfig } from '@headwater/web-kit'
import { canShare, type GroupAccessMode } from '../../contract/index.ts'

/** Returns a function that tests whether the user can share a group with this access. */
export function useCanShareGroup(): (access: GroupAccessMode) => boolean {
  const { sharingEnabled } = useProductConfig()
  const can = useCan()
  return (access) => sharingEnabled && canShare(access) && can('Groups', 'RW', 'Lake')
}

/** Opens the tool that shares a group. */
export function openGroupShare(groupName: string): void {
  openTool({ tool: 'group-share', id: groupName, title: `Share ${groupName}`, editable: true })
}
