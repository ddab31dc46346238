import { useFavourites } from '@headwater/accounts/web'

/** Favourite data prep in the user settings. */
interface Favourite {
  id: string
  favorite?: boolean
  modifyDate: string
  name: string
  groupName: string
  status: string
}

/** Data prep to mark as favourite. */
export interface FavouritePrep {
  /** Id of the data prep. */
  id: string
  /** Name of the data prep. */
  name: string
  /** Name of its group. */
  outputGroup: string
  /** Time of its last save. */
  modifyDate: string
}

/** Returns the favourite data preps of the user, and a function to change them. */
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
