import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import type { FileToolAction } from '../file-tools.ts'

/** The icon for the action of a file tool. */
export function FileToolIcon({ action, size }: { action: FileToolAction; size: number }) {
  const Icon = action === 'Edit' ? IconPencil : IconEye
  return <Icon size={size} stroke={1.6} aria-hidden="true" />
}
