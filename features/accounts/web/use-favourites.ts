import { toastError } from '@headwater/web-kit'
import type { FavoriteSetting } from '../contract/index.ts'
import { useSettings, useUpdateSettings } from './use-session.ts'

/**
 * The favourites of one kind in the settings of the user, in the order in which the user chose them.
 * @param key field that every entry has as text; entries without it are ignored
 * @param isSame whether an entry stands for the same object as another one
 */
export function useFavourites<Entry extends { favorite?: boolean }>(
  setting: FavoriteSetting,
  key: keyof Entry & string,
  isSame: (entry: Entry, other: Entry) => boolean,
): {
  entries: readonly Entry[]
  isFavourite: (entry: Entry) => boolean
  /** Adds a favourite, or removes it. */
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
