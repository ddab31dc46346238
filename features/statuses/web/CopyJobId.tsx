import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { IconButton, message, toastError } from '@headwater/web-kit'

/** A button that copies a job id. */
export function CopyJobId({ jobId, size = 16 }: { jobId: string; size?: number }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(jobId)
    } catch {
      toastError(new Error('The browser did not allow copying. Select the job id and copy it manually.'))
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
