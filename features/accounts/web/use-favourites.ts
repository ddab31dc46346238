import { toastError } from '@headwater/web-kit'
import type { FavoriteSetting } from '../contract/index.ts'
import { useSettings, useUpdateSettings } from './use-session.ts'

/**
 * Returns the favourites of one kind from the settings of the user, in the order of their addition.
 * @param key text field that every entry must have; other entries are ignored
 * @param isSame whether two entries stand for the same object
 */
export function useFavourites<Entry extends { favorite?: boolean }>(
  setting: FavoriteSetting,
  key: keyof Entry & string,
  isSame: (entry: Entry, other: Entry) => boolean,
): {
  entries: readonly Entry[]
  isFavourite: (entry: Entry) => boolean
  /** Adds or removes a favourite. */
  toggle: (entry: Entry) => Promise<void>
} {
  const settings = useSettings()
  const update = useUpdateSettings()
  const all = entriesIn<Entry>(settings?.[setting], key)
  const entries = all.filter(({ favorite }) => favorite !== false)
  const isFavourite = (entry: Entry) => entries.some((other) => isSame(other, entry))
  return {
    entries,
    isFavourite,
    async toggle(entry) {
      const others = all.filter((other) => !isSame(other, entry))
      const next = isFavourite(entry) ? others : [...others, { ...entry, favorite: true }]
      try {
        await update({ [setting]: JSON.stringify(next) })
      } catch (error) {
        toastError(error)
      }
    },
  }
}

function entriesIn<Entry>(json: string | undefined, key: keyof Entry & string): Entry[] {
  try {
    const list: unknown = JSON.parse(json || '[]')
    return Array.isArray(list)
      ? list.filter(
          (entry): entry is Entry => typeof (entry as Record<string, unknown> | null)?.[key] === 'string',
        )
      : []
  } catch {
    return []
  }
}
