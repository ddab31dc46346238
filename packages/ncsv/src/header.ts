/** Type of a value or metadata column. */
export type NcsvType = 'double' | 'integer' | 'string' | 'date'

export interface NcsvColumn {
  /** Name without its suffix. */
  name: string
  type: NcsvType
  /** Position in the row, from 0. */
  index: number
}

/** What the header line of a file says. */
export interface NcsvHeader {
  symbolColumns: { name: string; index: number }[]
  /** Undefined for a file of metadata only. */
  dateColumn?: { name: string; index: number; timeZone: string }
  valueColumns: NcsvColumn[]
  metadataColumns: NcsvColumn[]
  /** Number of cells each row must have. */
  width: number
}
