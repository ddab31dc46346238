import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { toastError } from '@headwater/web-kit'

/** An entry of the setting that holds the favourite data preps. */
interface Favourite {
  id: string
  favorite: boolean
  modifyDate: string
  name: string
  groupName: string
  status: string
}

/** What a favourite remembers of a data prep. */
export interface FavouritePrep {
  id: string
  name: string
  outputGroup: string
  modifyDate: string
}

/** The favourite data preps of the user, and how to change them. */
export function useFavouritePreps(): {
  ids: readonly string[]
  toggle: (prep: FavouritePrep, status?: string) => Promise<void>
} {
  const settings = useSettings()
  const update = useUpdateSettings()
  const all = favouritesIn(settings?.favoriteDataPreps)
  const ids = all.filter((entry) => entry.favorite).map((entry) => entry.id)
  return {
    ids,
    async toggle({ id, name, outputGroup, modifyDate }, status = '') {
      const others = all.filter((entry) => entry.id !== id)
      const entry = { id, favorite: true, modifyDate, name, groupName: outputGroup, status }
      try {
        await update({ favoriteDataPreps: JSON.stringify(ids.includes(id) ? others : [...others, entry]) })
      } catch (error) {
        toastError(error)
      }
    },
  }
}

function favouritesIn(json: string | undefined): Favourite[] {
  try {
    const list: unknown = JSON.parse(json || '[]')
    return Array.isArray(list)
      ? list.filter(
          (entry): entry is Favourite => typeof (entry as Partial<Favourite> | null)?.id === 'string',
        )
      : []
  } catch {
    return []
  }
}
