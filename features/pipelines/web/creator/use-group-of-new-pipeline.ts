import { useState } from 'react'
import { useSession, useSettings } from '@headwater/accounts/web'
import { useSuggestedGroup } from '@headwater/groups/web'
import { recents } from '@headwater/web-kit'

/**
 * Returns the group that is suggested for a new pipeline: a default group that the user chose; otherwise the group of the pipeline
 * that was opened last, if the user can write to it and it is not public, or the home group. Empty for none.
 */
export function useGroupOfNewPipeline(isNew: boolean): string {
  const { userName } = useSession()
  const hasDefault = useSettings()?.defaultGroup !== `${userName}_home`
  const [recent] = useState(() => recents().find(({ type }) => type === 'PIPELINE')?.groupName)
  return useSuggestedGroup(isNew && !hasDefault ? recent : undefined)
}
