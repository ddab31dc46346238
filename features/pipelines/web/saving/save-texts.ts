/** Purposes of the dialog: the first save, a copy, and a change of name, group and tags. */
export type SaveDialog = 'create' | 'copy' | 'move'

/** Title and button of the dialog. */
export const saveTexts: Readonly<Record<SaveDialog, { title: string; submitLabel: string }>> = {
  create: { title: 'Save pipeline', submitLabel: 'Save' },
  copy: { title: 'Copy pipeline', submitLabel: 'Save copy' },
  move: { title: 'Rename or move pipeline', submitLabel: 'Save' },
}
