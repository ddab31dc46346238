import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { Button, IconButton, links, Menu, type MenuEntry, useSlot } from '@headwater/web-kit'
import type { Insight } from '../../../contract/index.ts'
import { InsightStar } from '../../components/InsightStar.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { insightActions } from '../../slots.ts'
import type { OpenDialog } from './open-dialog.ts'
import { useFitsBuilder } from './use-fits-builder.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The buttons in the header of an insight for readers. */
export function ReaderActions({
  insight,
  onEdit,
  onDialog,
}: {
  insight: Insight
  /** Opens the builder. */
  onEdit: () => void
  /** Opens a dialog; undefined closes the open one. */
  onDialog: (dialog: OpenDialog | undefined) => void
}) {
  const canCopy = useCan()('Visualisations', 'RW', 'Insight')
  const actions = useSlot(insightActions)
  const fitsBuilder = useFitsBuilder()
  const { writeAccess, groupName, insightName } = insight
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
  return (
    <>
      <InsightStar name={insight} />
      <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={items} />
      {actions.map((Action, index) => (
        <PartFrame key={index}>
          <Action insight={insight} onDialog={(isOpen) => onDialog(isOpen ? 'action' : undefined)} />
        </PartFrame>
      ))}
      {writeAccess && fitsBuilder ? (
        <Button variant="primary" icon={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Button>
      ) : null}
    </>
  )
}
