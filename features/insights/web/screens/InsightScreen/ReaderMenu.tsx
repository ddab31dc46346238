import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { IconButton, links, Menu, type MenuEntry } from '@headwater/web-kit'
import type { Insight } from '../../../contract/index.ts'
import type { OpenDialog } from './open-dialog.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The menu in the header of an insight for readers. */
export default function ReaderMenu({
  insight: { writeAccess, groupName, insightName },
  onDialog,
}: {
  insight: Insight
  /** Opens a dialog. */
  onDialog: (dialog: OpenDialog) => void
}) {
  const canCopy = useCan()('Visualisations', 'RW', 'Insight')
  const page = links.insight(groupName, insightName)
  const copy: MenuEntry = {
    label: 'Save a copy',
    icon: <IconCopy {...icon} />,
    onClick: () => onDialog('copy'),
  }
  const template: MenuEntry = {
    label: 'Save as template',
    icon: <IconTemplate {...icon} />,
    onClick: () => onDialog('template'),
  }
  const changes: MenuEntry[] = [
    {
      label: 'Rename, move or tag',
      icon: <IconFolderSymlink {...icon} />,
      onClick: () => onDialog('details'),
    },
    'divider',
    { label: 'Delete', icon: <IconTrash {...icon} />, danger: true, onClick: () => onDialog('delete') },
  ]
  const others = [...(canCopy ? [copy, template] : []), ...(writeAccess ? changes : [])]
  const items: MenuEntry[] = [
    { label: 'Versions', icon: <IconHistory {...icon} />, href: `${page}/Versions` },
    ...(others.length === 0 ? [] : ['divider' as const, ...others]),
  ]
  return <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={items} />
}
