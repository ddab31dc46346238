import { useShortcut } from '@headwater/web-kit'
import type { Workspace } from './use-workspace.ts'

/** Registers the shortcuts of the page of an insight. They are off while a dialog is open. */
export function useWorkspaceShortcuts(
  workspace: Pick<
    Workspace,
    | 'editing'
    | 'canEdit'
    | 'dialog'
    | 'saving'
    | 'panels'
    | 'state'
    | 'undo'
    | 'redo'
    | 'startEditing'
    | 'select'
  >,
): void {
  const { editing, panels, undo, redo } = workspace
  const isFree = workspace.dialog.current === undefined
  const building = { enabled: editing && isFree }
  useShortcut('mod+s', () => void workspace.saving.save(), { label: 'Save the insight', ...building })
  useShortcut('mod+z', undo, { label: 'Undo', ...building })
  useShortcut('mod+shift+z', redo, { label: 'Redo', ...building })
  useShortcut('mod+y', redo, { label: 'Redo', ...building })
  useShortcut('e', workspace.startEditing, {
    label: 'Edit the insight',
    enabled: !editing && workspace.canEdit,
  })
  useShortcut('p', () => panels.toggle('params'), {
    label: 'Parameters',
    enabled: isFree && panels.offered.includes('params'),
  })
  useShortcut('b', () => panels.toggle('basket'), {
    label: 'Basket',
    enabled: isFree && panels.offered.includes('basket'),
  })
  useShortcut('escape', () => workspace.select(undefined), {
    label: 'Deselect',
    enabled: building.enabled && panels.open === undefined && workspace.state.draft.selectedId !== undefined,
  })
}
