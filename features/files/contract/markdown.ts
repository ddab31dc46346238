import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { extensionOf } from './file-type.ts'
import { contentReceipt, fileType } from './file.ts'
import { fid } from './path-parts.ts'

/** Returns whether a file is markdown, according to its type or the extension of its name. */
export function isMarkdown({ fileName, fileType: type }: { fileName: string; fileType: string }): boolean {
  return type === 'MARKDOWN' || extensionOf(fileName) === 'md'
}

/** Route `GET /file/:fid/markdown`. */
export const getMarkdown = defineRoute({
  name: 'getMarkdown',
  method: 'GET',
  path: '/file/:fid/markdown',
  summary: 'The text of a version of a markdown file, as it was stored. Ranges are supported.',
  permission: { resource: 'Lake/Files', mode: 'R' },
  allowsRunTokens: true,
  params: fid,
  errors: ['fileNotFound', 'notMarkdown', 'rangeOutside'],
})

/** Maximum size of a text that tools open and save, in bytes. */
export const maxTextBytes = 25_000_000

/** Route `PUT /file/:fid/markdown`. */
export const saveMarkdown = defineRoute({
  name: 'saveMarkdown',
  method: 'PUT',
  path: '/file/:fid/markdown',
  summary:
    'Saves a text of at most 25 MB as a new version of a markdown file, with the metadata of the version in the path. If this is not the newest version, nothing is saved.',
  permission: { resource: 'Lake/Files', mode: 'RW' },
  allowsRunTokens: true,
  params: fid,
  query: z.object({
    fileType: fileType
      .optional()
      .describe(
        'Type of the new version: any type except NCSV and D-NCSV. Default: the type of the version in the path.',
      ),
  }),
  bodyKind: 'stream',
  output: contentReceipt,
  errors: [
    'fileNotFound',
    'groupForbidden',
    'notMarkdown',
    'notTypeOfText',
    'textTooLarge',
    'linkNotValid',
    'contentLengthWrong',
    'contentCutOff',
    'digestNotValid',
    'digestWrong',
    'notNewestVersion',
    'storageFull',
    'storageLimitReached',
    'diskReserved',
  ],
})
