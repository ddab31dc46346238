import { z } from 'zod'
import { maxPdfBytes } from '@headwater/editors/web'
import type { Tile } from '@headwater/tile-data/contract'
import { fileSource } from '@headwater/tile-data/core'
import type { UploadKind } from '../../editor/upload-kind.ts'

/** Default page size: the width of the tile, in percent. */
const defaultScale = 100
/** Bounds of the page size, in percent of the width of the tile. */
export const scaleBounds = { least: 25, most: 400 } as const

/** Number of bytes that contain the signature of a PDF. */
const headBytes = 1024

/** Files that are uploaded for a tile. */
export const uploadedPdf: UploadKind = {
  noun: 'PDF',
  extensions: ['pdf'],
  limitBytes: maxPdfBytes,
  matches: async (content) => (await content.slice(0, headBytes).text()).includes('%PDF-'),
}

/** The fields of a PDF tile in addition to {@link commonTile}. */
export const pdfTile = z.looseObject({
  source: fileSource,
  scale: z.coerce
    .number()
    .min(scaleBounds.least)
    .max(scaleBounds.most)
    .catch(defaultScale)
    .describe('Size of the pages in percent of the width of the tile, 25 to 400, default 100.'),
})

/** Creates a PDF tile. */
export function newPdfTile(id: string): Tile {
  return {
    id,
    type: 'PDF',
    title: 'PDF',
    tileWidth: 'half',
    tileHeight: 'full',
    source: { type: 'FILE', value: { groupName: '', fileName: '' } },
    scale: defaultScale,
  }
}
