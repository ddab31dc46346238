import { useState } from 'react'
import { useSession, useSettings } from '@headwater/accounts/web'
import { useWritableGroups } from '@headwater/groups/web'
import { recents } from '@headwater/web-kit'

/**
 * Returns the group that is suggested for a new pipeline: a default group that the user chose; otherwise the group of the pipeline
 * that was opened last, if the user can write to it, or the home group. Empty for none.
 */
export function useSuggestedGroup(isNew: boolean): string {
  const { userName } = useSession()
  const defaultGroup = useSettings()?.defaultGroup ?? ''
  const [recent] = useState(() => recents().find(({ type }) => type === 'PIPELINE')?.groupName ?? '')
  const isRecentWanted = isNew && recent !== '' && defaultGroup === `${userName}_home`
  const writable = useWritableGroups(isRecentWanted ? [recent] : [])
  return isRecentWanted && writable.has(recent) ? recent : defaultGroup
}
