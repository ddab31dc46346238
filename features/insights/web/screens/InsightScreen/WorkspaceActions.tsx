import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
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
  useProductConfig,
} from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tiles/contract'
import type { Insight } from '../../../contract/index.ts'
import type { NewPart } from '../../builder/new-part.ts'
import { newTileMenu, type NewTileKind } from '../../builder/new-tile-kinds.tsx'
import { useOffersWorkflows } from '@headwater/tiles/web'
import { InsightStar } from '../../components/InsightStar.tsx'

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
  onExport,
  onDialog,
}: {
  insight: Insight
  onExport: (form: 'pdf' | 'xlsx') => void
  onEdit: () => void
  onDialog: (dialog: 'copy' | 'details' | 'delete' | 'share' | 'template') => void
}) {
  const mayCopy = useCan()('Visualisations', 'RW', 'Insight')
  const { sharingEnabled } = useProductConfig()
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
  const exports: MenuEntry[] = [
    {
      label: 'Print or save as PDF',
      icon: <IconPrinter {...icon} />,
      onClick: () => onExport('pdf'),
    },
    { label: 'Save as XLSX', icon: <IconFileSpreadsheet {...icon} />, onClick: () => onExport('xlsx') },
    ...(writeAccess
      ? [{ label: 'Export by e-mail', icon: <IconMail {...icon} />, href: `${page}?view=EXPORT` }]
      : []),
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
      <Menu
        trigger={<IconButton label="Export" icon={<IconDownload {...icon} />} labelled />}
        items={exports}
      />
      {writeAccess && sharingEnabled ? (
        <Button icon={<IconShare {...icon} />} onClick={() => onDialog('share')}>
          Share
        </Button>
      ) : null}
      {writeAccess ? (
        <Button variant="primary" icon={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Button>
      ) : null}
    </>
  )
}
