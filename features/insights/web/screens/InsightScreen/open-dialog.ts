import type { FormPurpose } from './use-saving.ts'

/** A dialog of the page of an insight; `action` is a dialog of an action that a later feature added. */
export type OpenDialog = FormPurpose | 'delete' | 'discard' | 'conflict' | 'quick' | 'template' | 'action'
