import { ErrorNote, type UsedObject } from '@headwater/web-kit'
import { maxUsedFiles } from '../contract/index.ts'
import { dependentsText } from './usage-text.ts'
import { useUsage } from './use-usage.ts'

/** Maximum number of entries to load; enough to count them by kind. */
const maxEntries = 100

/** Note in a dialog that deletes an object: what uses it and will stop working. */
export default function UsageNote({ object }: { object: UsedObject }) {
  const fids = object.fids ?? []
  const checked = fids.length > maxUsedFiles ? { ...object, fids: fids.slice(0, maxUsedFiles) } : object
  const { data, error } = useUsage(checked, { size: maxEntries, outside: true })
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined) return null
  const text = dependentsText({ ...data, withSeries: object.withSeries, isOne: fids.length < 2 })
  return (
    <p>
      {fids.length > maxUsedFiles
        ? `Only the first ${maxUsedFiles} files were checked for references. ${text}`
        : text}
    </p>
  )
}
