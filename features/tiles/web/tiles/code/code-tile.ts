import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../../core/series/series-range.ts'
import { textSource } from '../../../core/common/loose-fields.ts'

/** Kinds of code a tile may hold, as stored; `html` is HTML and FreeMarker. */
export const codeTypes = ['html', 'python'] as const
export type CodeType = (typeof codeTypes)[number]

/** The fields of a code tile besides those of every tile. */
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
})
export type CodeTile = z.output<typeof codeTile>

/** A new code tile. */
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

/** Whether the code is for FreeMarker: it holds a directive or a macro call. */
export function isFreeMarker(code: string): boolean {
  return /<\/?#[a-z]|<\/?@[a-z_]|<#--|\[#ftl/i.test(code)
}
