import type { CollectedPoints, ColumnSpec } from './series-upload.ts'
import type { SeriesTail } from './series-tail.ts'
import type { Upload } from './sql-connection.ts'
import type { UploadFacts } from './upload-blocks.ts'

/** Rows that have been sent to the engine. */
export class CollectedUpload implements CollectedPoints {
  readonly columns: readonly ColumnSpec[]
  readonly upload: Upload
  readonly seen: UploadFacts
  /** The newest rows by series, if known. */
  readonly tails: ReadonlyMap<number, SeriesTail> | undefined

  constructor(
    columns: readonly ColumnSpec[],
    upload: Upload,
    seen: UploadFacts,
    tails: ReadonlyMap<number, SeriesTail> | undefined,
  ) {
    this.columns = columns
    this.upload = upload
    this.seen = seen
    this.tails = tails
  }

  get rowCount(): number {
    return this.seen.rows
  }

  drop(): Promise<void> {
    return this.upload.drop()
  }
}
