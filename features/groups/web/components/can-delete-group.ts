import { useCan, useSession } from '@headwater/accounts/web'
import type { Group } from '../../contract/index.ts'

/** Returns a function that tests whether the user can delete a group: only its owner and administrators can. */
export function useCanDeleteGroup(): (group: Pick<Group, 'owner'>) => boolean {
  const { userName } = useSession()
  const can = useCan()
  return ({ owner }) => owner === userName || can('Administrator')
}
