import { useFavourites } from '@headwater/accounts/web'

/** What an entry of the setting stores of a favourite data prep. */
interface Favourite {
  id: string
  favorite?: boolean
  modifyDate: string
  name: string
  groupName: string
  status: string
}

/** What a favourite stores of a data prep. */
export interface FavouritePrep {
  id: string
  name: string
  outputGroup: string
  modifyDate: string
}

/** The favourite data preps of the user, and how to change them. */
export function useFavouritePreps() {
  const { entries, toggle } = useFavourites<Favourite>(
    'favoriteDataPreps',
    'id',
    (entry, other) => entry.id === other.id,
  )
  return {
    ids: entries.map(({ id }) => id),
    toggle: ({ id, name, outputGroup, modifyDate }: FavouritePrep, status = '') =>
      toggle({ id, modifyDate, name, groupName: outputGroup, status }),
  }
}
