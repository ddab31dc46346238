import { HeaderDivider } from '@headwater/web-kit'
import { PartFrame } from '../../components/PartFrame.tsx'
import { BuilderActions } from '../../lazy-parts.ts'
import { PanelButtons } from './PanelButtons.tsx'
import { ReaderActions } from './ReaderActions.tsx'
import type { Workspace } from './use-workspace.ts'

/** The buttons in the header of an insight. */
export function WorkspaceHeader({ workspace }: { workspace: Workspace }) {
  const { stored, editing, panels } = workspace
  return (
    <>
      <PanelButtons offered={panels.offered} open={panels.open} onToggle={panels.toggle} />
      {panels.offered.length > 0 ? <HeaderDivider /> : null}
      {editing || stored === undefined ? (
        <PartFrame>
          <BuilderActions workspace={workspace} />
        </PartFrame>
      ) : (
        <ReaderActions insight={stored} onEdit={workspace.startEditing} onDialog={workspace.dialog.open} />
      )}
    </>
  )
}
