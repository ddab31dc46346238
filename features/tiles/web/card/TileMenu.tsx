import { ActionsButton, Menu, type MenuEntry } from '@headwater/web-kit'

/** The menu in the header of a tile. */
export function TileMenu({ heading, items }: { heading: string; items: readonly MenuEntry[] }) {
  return <Menu trigger={<ActionsButton name={heading} />} items={items} />
}
