import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { IconButton, message, toastError } from '@headwater/web-kit'

/** A button that copies the id of a job. */
export function CopyJobId({ jobId, size = 16 }: { jobId: string; size?: number }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(jobId)
    } catch {
      toastError(
        new Error('The browser did not allow copying. Select the id of the job and copy it manually.'),
      )
      return
    }
    message('JobId copied to clipboard.')
  }
  return (
    <IconButton
      label="Copy jobId"
      icon={<IconCopy size={size} stroke={1.6} aria-hidden="true" />}
      onClick={() => void copy()}
    />
  )
}
