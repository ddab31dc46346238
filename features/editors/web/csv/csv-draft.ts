import { useEffect, useState } from 'react'
import { type DraftLocation, useStoredDraft } from '@headwater/accounts/web'
import { extensionOf, type File } from '@headwater/files/contract'
import type { FileDetails } from '../details/use-file-details.ts'
import type { CsvLayout } from './index-csv.ts'
import { parseCsvBeside } from './load-csv.ts'

/** Maximum size of a file whose unsaved changes are stored as a draft. Browsers store about 5 MB for all drafts. */
export const maxDraftBytes = 1_000_000

/** The draft of a CSV file that was not saved when the page or the session ended. */
export interface StoredCsv {
  /** The version that the draft is based on; undefined for a new file. */
  file?: File
  /** Content of the changed file. */
  text: string
}

/** A restored draft. */
export interface RestoredCsv extends StoredCsv {
  /** Time at which the session or the page ended, in milliseconds since 1970. */
  time: number
  /** The rows; undefined if the text is not a table. */
  layout: CsvLayout | undefined
}

/** Identifies the draft of a file, or of a new file. */
export function csvDraftLocation({
  file,
  suggested,
}: {
  file: File | undefined
  suggested: Pick<FileDetails, 'fileName'>
}): DraftLocation {
  const location =
    file === undefined ? `new file .${extensionOf(suggested.fileName)}` : `${file.groupName}/${file.fileName}`
  return { key: 'ng-csv-draft', location }
}

/** Returns the draft that the user left of a file, after its rows have been found. */
export function useRestoredCsv(
  of: Parameters<typeof csvDraftLocation>[0],
  canEdit: boolean,
): { restored: RestoredCsv | undefined; isLoading: boolean; discard: () => void } {
  const stored = useStoredDraft<StoredCsv>(csvDraftLocation(of), canEdit)
  const [restored, setRestored] = useState<RestoredCsv>()
  const [isLoading, setLoading] = useState(stored !== undefined)
  useEffect(() => {
    if (stored === undefined) return
    let isOpen = true
    const { content, time } = stored
    const show = (layout?: CsvLayout) => {
      if (!isOpen) return
      setRestored({ ...content, time, layout })
      setLoading(false)
    }
    parseCsvBeside(new TextEncoder().encode(content.text)).then(show, () => show())
    return () => {
      isOpen = false
    }
  }, [stored])
  return { restored, isLoading, discard: () => setRestored(undefined) }
}
