import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconFileExport from '@tabler/icons-react/dist/esm/icons/IconFileExport.mjs'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { IconButton, type MenuEntry } from '@headwater/web-kit'
import type { CardProps } from '../tiles/tile-view.ts'
import { TileMenu } from './TileMenu.tsx'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The actions of a tile in the builder: buttons while it is selected, otherwise a menu. */
export default function EditActions({
  card,
  heading,
  full,
  toggle,
  fullScreen,
}: {
  card: CardProps
  /** Visible heading. */
  heading: string
  /** Whether the tile fills the screen. */
  full: boolean
  /** Enters or leaves full screen. */
  toggle: () => void
  /** Menu entry that enters or leaves full screen. */
  fullScreen: MenuEntry
}) {
  if (!card.selected)
    return <TileMenu heading={heading} items={[...editItems(card), 'divider', fullScreen]} />
  return (
    <>
      <IconButton label="Duplicate tile" icon={<IconCopy {...icon} />} onClick={card.onDuplicate} />
      <IconButton label="Export configuration" icon={<IconFileExport {...icon} />} onClick={card.onExport} />
      <IconButton label="Delete tile" icon={<IconTrash {...icon} />} onClick={card.onRemove} />
      {full ? null : <IconButton label="Full screen" icon={<IconMaximize {...icon} />} onClick={toggle} />}
    </>
  )
}

function editItems(card: CardProps): MenuEntry[] {
  return [
    { label: 'Edit tile', icon: <IconEdit {...icon} />, onClick: card.onSelect },
    { label: 'Duplicate tile', icon: <IconCopy {...icon} />, onClick: card.onDuplicate },
    'divider',
    { label: 'Export configuration', icon: <IconFileExport {...icon} />, onClick: card.onExport },
    { label: 'Import configuration', icon: <IconFileImport {...icon} />, onClick: card.onImport },
    'divider',
    { label: 'Delete tile', icon: <IconTrash {...icon} />, danger: true, onClick: card.onRemove },
  ]
}
