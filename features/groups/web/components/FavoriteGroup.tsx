import { useState } from 'react'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { IconButton, routeKey, toastError } from '@headwater/web-kit'
import { getGroup, listGroups, type Group } from '../../contract/index.ts'

/** The star of a group: adds it to the favourites in the user's settings, or takes it out. */
export function FavoriteGroup({ group }: { group: Pick<Group, 'name' | 'favorite'> }) {
  const settings = useSettings()
  const update = useUpdateSettings()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const toggle = async () => {
    const others = namesIn(settings?.favoriteGroups ?? '[]').filter((name) => name !== group.name)
    const names = group.favorite ? others : [...others, group.name]
    setBusy(true)
    try {
      await update({
        favoriteGroups: JSON.stringify(names.map((name) => ({ name, favorite: true }))),
      })
      await Promise.all([
        client.invalidateQueries({ queryKey: routeKey(listGroups) }),
        client.invalidateQueries({ queryKey: routeKey(getGroup) }),
      ])
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton
      label={group.favorite ? `Remove ${group.name} from favourites` : `Add ${group.name} to favourites`}
      active={group.favorite}
      disabled={busy}
      icon={group.favorite ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.6} />}
      onClick={(event) => {
        event.stopPropagation()
        void toggle()
      }}
    />
  )
}

function namesIn(json: string): string[] {
  try {
    return (JSON.parse(json) as { name: string }[]).map(({ name }) => name)
  } catch {
    return []
  }
}
