import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { IconButton } from './IconButton.tsx'
import { message, toastError } from './toasts.ts'

/** Copies text and shows a message: '{label} copied to the clipboard.' */
export async function copyText(value: string, label: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value)
    message(`${label} copied to the clipboard.`)
  } catch {
    toastError(
      new Error(`The browser did not allow copying. Select the ${label.toLowerCase()} and copy it manually.`),
    )
  }
}

/** A button that copies a value. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <IconButton
      label={`Copy ${label.toLowerCase()}`}
      icon={<IconCopy size={15} stroke={1.6} />}
      onClick={() => void copyText(value, label)}
    />
  )
}
