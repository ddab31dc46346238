import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { FavouriteStar, useFavourites } from '@headwater/accounts/web'
import { routeKey } from '@headwater/web-kit'
import { getGroup, listGroups, type Group } from '../../contract/index.ts'

/** Button that adds a group to the favourites or removes it. */
export function FavoriteGroup({ group }: { group: Pick<Group, 'name' | 'favorite'> }) {
  const { toggle } = useFavourites<{ name: string; favorite?: boolean }>(
    'favoriteGroups',
    'name',
    (entry, other) => entry.name === other.name,
  )
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function onToggle() {
    setBusy(true)
    try {
      await toggle({ name: group.name })
      await Promise.all(
        [listGroups, getGroup].map((route) => client.invalidateQueries({ queryKey: routeKey(route) })),
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <FavouriteStar
      name={group.name}
      active={group.favorite}
      disabled={busy}
      onToggle={() => void onToggle()}
    />
  )
}
