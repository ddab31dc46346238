import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { IconButton } from '@headwater/web-kit'
import { type FavouritePrep, useFavouritePreps } from '../favourites.ts'

/** The star of a data prep: adds it to the favourites of the user, or takes it out. */
export function FavouriteStar({ prep, status }: { prep: FavouritePrep; status?: string | undefined }) {
  const { ids, toggle } = useFavouritePreps()
  const active = ids.includes(prep.id)
  return (
    <IconButton
      label={active ? `Remove ${prep.name} from favourites` : `Add ${prep.name} to favourites`}
      active={active}
      icon={active ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.6} />}
      onClick={(event) => {
        event.stopPropagation()
        void toggle(prep, status)
      }}
    />
  )
}
