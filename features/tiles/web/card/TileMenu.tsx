import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { IconButton, Menu, type MenuEntry } from '@headwater/web-kit'

/** The menu in the header of a tile. */
export function TileMenu({ heading, items }: { heading: string; items: readonly MenuEntry[] }) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions of ${heading}`} icon={<IconDots size={16} stroke={1.6} aria-hidden />} />
      }
      items={items}
    />
  )
}
