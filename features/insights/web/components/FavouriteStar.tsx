import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { IconButton } from '@headwater/web-kit'
import { type InsightName, useFavourites } from '../insights-client.ts'

/** The star of an insight: adds it to the favourites of the user, or takes it out. */
export function FavouriteStar({ name }: { name: InsightName }) {
  const { isFavourite, toggle } = useFavourites()
  const active = isFavourite(name)
  return (
    <IconButton
      label={active ? `Remove ${name.insightName} from favourites` : `Add ${name.insightName} to favourites`}
      active={active}
      icon={active ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.6} />}
      onClick={(event) => {
        event.stopPropagation()
        void toggle(name)
      }}
    />
  )
}
