import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  HeaderDivider,
  IconButton,
  links,
  Menu,
  type MenuEntry,
  runShortcut,
  useSlot,
} from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tiles/contract'
import type { Insight } from '../../../contract/index.ts'
import type { NewPart } from '../../builder/new-part.ts'
import { newTileMenu, type NewTileKind } from '../../builder/new-tile-kinds.tsx'
import { useOffersWorkflows } from '@headwater/tiles/web'
import { InsightStar } from '../../components/InsightStar.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { insightActions } from '../../slots.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The buttons in the header while an insight is built. */
export function BuilderActions(props: {
  content: InsightContent
  canUndo: boolean
  canRedo: boolean
  saving: boolean
  onUndo: () => void
  onRedo: () => void
  onAdd: (kind: NewTileKind) => void
  onAddPart: (part: NewPart) => void
  /** Shows how insights are built. */
  onGuide: () => void
  onCancel: () => void
  onSave: () => void
}) {
  return (
    <>
      <IconButton
        label="Undo"
        icon={<IconArrowBackUp {...icon} />}
        disabled={!props.canUndo}
        data-guide="undo"
        onClick={props.onUndo}
      />
      <IconButton
        label="Redo"
        icon={<IconArrowForwardUp {...icon} />}
        disabled={!props.canRedo}
        onClick={props.onRedo}
      />
      <Menu
        trigger={<IconButton label="Help" icon={<IconHelp {...icon} />} />}
        items={[
          { label: 'Show the guide', icon: <IconRoute {...icon} />, onClick: props.onGuide },
          {
            label: 'Keyboard shortcuts',
            icon: <IconKeyboard {...icon} />,
            shortcut: '?',
            onClick: () => runShortcut('?'),
          },
        ]}
      />
      <HeaderDivider />
      <Menu
        trigger={<Button icon={<IconPlus {...icon} />}>Add tile</Button>}
        items={newTileMenu(props.content, props, { workflows: useOffersWorkflows() })}
      />
      <HeaderDivider />
      <Button onClick={props.onCancel}>Cancel</Button>
      <Button
        variant="primary"
        icon={<IconDeviceFloppy {...icon} />}
        busy={props.saving}
        data-guide="save"
        onClick={props.onSave}
      >
        Save
      </Button>
    </>
  )
}

/** The buttons in the header while an insight is looked at. */
export function ReaderActions({
  insight,
  onEdit,
  onDialog,
}: {
  insight: Insight
  onEdit: () => void
  onDialog: (dialog: 'copy' | 'details' | 'delete' | 'template' | 'action' | undefined) => void
}) {
  const mayCopy = useCan()('Visualisations', 'RW', 'Insight')
  const actions = useSlot(insightActions)
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
  const others = [...(mayCopy ? [copy, template] : []), ...(writeAccess ? changes : [])]
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
      {writeAccess ? (
        <Button variant="primary" icon={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Button>
      ) : null}
    </>
  )
}
