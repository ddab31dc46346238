import { FavouriteStar } from '@headwater/accounts/web'
import { type FavouritePrep, useFavouritePreps } from '../favourites.ts'

/** Star that marks a data prep as favourite. */
export function PrepStar({ prep, status }: { prep: FavouritePrep; status?: string | undefined }) {
  const { ids, toggle } = useFavouritePreps()
  return (
    <FavouriteStar
      name={prep.name}
      active={ids.includes(prep.id)}
      onToggle={() => void toggle(prep, status)}
    />
  )
}
