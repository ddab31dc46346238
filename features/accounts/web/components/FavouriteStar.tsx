import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { IconButton } from '@headwater/web-kit'

/** Button that adds an object to the favourites of the user or removes it. */
export function FavouriteStar({
  name,
  active,
  disabled = false,
  onToggle,
}: {
  /** Name of the object, for the label. */
  name: string
  /** Whether the object is a favourite. */
  active: boolean
  disabled?: boolean
  onToggle: () => void
}) {
  return (
    <IconButton
      label={active ? `Remove ${name} from favourites` : `Add ${name} to favourites`}
      active={active}
      disabled={disabled}
      icon={active ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.6} />}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    />
  )
}
