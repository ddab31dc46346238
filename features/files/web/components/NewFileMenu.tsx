import IconFilePlus from '@tabler/icons-react/dist/esm/icons/IconFilePlus.mjs'
import { Button, Menu } from '@headwater/web-kit'
import { newFileKinds, openNewFileTool } from '../file-tools.ts'

/** A menu of the kinds of files that can be created on the page. */
export function NewFileMenu({
  groupName,
}: {
  /** Suggested group. */
  groupName: string | undefined
}) {
  return (
    <Menu
      trigger={<Button icon={<IconFilePlus size={16} stroke={1.6} />}>New file</Button>}
      items={newFileKinds.map(({ extension, label }) => ({
        label: `${label} (.${extension})`,
        onClick: () => openNewFileTool(extension, groupName),
      }))}
    />
  )
}
