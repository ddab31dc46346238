import { StatusBadge } from '@headwater/web-kit'
import type { File } from '../../contract/index.ts'

/** The status of the ingest of a file, with its message. */
export function FileStatus({ file }: { file: Pick<File, 'status'> }) {
  if (file.status === undefined) return null
  const { status, message } = file.status
  const ended = status === 'INFO' || status === 'COMPLETED'
  return (
    <StatusBadge
      status={ended ? 'completed' : status}
      text={message === '' && ended ? 'Ingested' : message || undefined}
    />
  )
}
