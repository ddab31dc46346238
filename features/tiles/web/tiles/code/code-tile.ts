import { z } from 'zod'
import type { Tile } from '@headwater/tile-data/contract'
import { newSeriesRange, textSource } from '@headwater/tile-data/core'

/** Languages of code; `html` includes FreeMarker. */
export const codeTypes = ['html', 'python'] as const
/** One of {@link codeTypes}. */
export type CodeType = (typeof codeTypes)[number]

/** The fields of a code tile in addition to {@link commonTile}. */
export const codeTile = z.looseObject({
  codeType: z
    .string()
    .transform((value) => (/^py/i.test(value) ? 'python' : 'html'))
    .pipe(z.enum(codeTypes))
    .catch('html')
    .describe('html or python, default html.'),
  source: textSource.describe(
    'FILE: the latest version of a file of the lake. EDITOR: the code of the tile.',
  ),
  templateContent: z.string().catch('').describe('The code of a tile whose source is EDITOR.'),
  codeFromLink: z
    .string()
    .optional()
    .catch(undefined)
    .describe('Id of a link. A template has inserted values from this link into the code. Absent: none.'),
})
/** A parsed {@link codeTile}. */
export type CodeTile = z.output<typeof codeTile>

/** Creates a code tile. */
export function newCodeTile(id: string): Tile {
  return {
    id,
    type: 'CODE',
    title: 'Code',
    tileWidth: 'half',
    tileHeight: 'half',
    codeType: 'html',
    source: { type: 'EDITOR' },
    templateContent: '',
    ...newSeriesRange(),
  }
}

/** Returns whether code is FreeMarker: it contains a directive or a macro call. */
export function isFreeMarker(code: string): boolean {
  return /<\/?#[a-z]|<\/?@[a-z_]|<#--|\[#ftl/i.test(code)
}
