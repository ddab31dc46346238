import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import { Button, HeaderDivider, IconButton, Menu, runShortcut } from '@headwater/web-kit'
import { useOffersWorkflows } from '@headwater/tiles/web'
import type { Workspace } from '../screens/InsightScreen/use-workspace.ts'
import { addPart } from './new-part.ts'
import { addTileOfKind } from './new-tile.ts'
import { newTileMenu } from './new-tile-kinds.tsx'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The buttons in the header of the builder. */
export default function BuilderActions({ workspace }: { workspace: Workspace }) {
  const { content, adding, saving } = workspace
  const { draft } = workspace.state
  const items = newTileMenu(
    content,
    {
      onAdd: (kind) => addTileOfKind(kind, adding),
      onAddPart: (part) => addPart(part, content, adding),
    },
    { workflows: useOffersWorkflows() },
  )
  return (
    <>
      <IconButton
        label="Undo"
        icon={<IconArrowBackUp {...icon} />}
        disabled={draft.past.length === 0}
        data-guide="undo"
        onClick={workspace.undo}
      />
      <IconButton
        label="Redo"
        icon={<IconArrowForwardUp {...icon} />}
        disabled={draft.future.length === 0}
        onClick={workspace.redo}
      />
      <Menu
        trigger={<IconButton label="Help" icon={<IconHelp {...icon} />} />}
        items={[
          { label: 'Show the guide', icon: <IconRoute {...icon} />, onClick: () => workspace.showGuide(0) },
          {
            label: 'Keyboard shortcuts',
            icon: <IconKeyboard {...icon} />,
            shortcut: '?',
            onClick: () => runShortcut('?'),
          },
        ]}
      />
      <HeaderDivider />
      <Menu trigger={<Button icon={<IconPlus {...icon} />}>Add tile</Button>} items={items} />
      <HeaderDivider />
      <Button onClick={workspace.cancel}>Cancel</Button>
      <Button
        variant="primary"
        icon={<IconDeviceFloppy {...icon} />}
        busy={saving.saving}
        data-guide="save"
        onClick={() => void saving.save()}
      >
        Save
      </Button>
    </>
  )
}
