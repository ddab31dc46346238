import { z } from 'zod'
import { parseJson } from '@headwater/contract'

/** Maximum number of characters of displayed cells; the first cell is always displayed. */
const maxCharacters = 2_000_000

const lines = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(''))
const output = z.looseObject({
  output_type: z.string(),
  text: lines.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
})
const cell = z.looseObject({
  cell_type: z.string(),
  source: lines.catch(''),
  outputs: z.array(output).catch([]),
})
const notebook = z.looseObject({
  metadata: z
    .looseObject({ language_info: z.looseObject({ name: z.string() }).optional() })
    .optional()
    .catch(undefined),
  cells: z.array(cell),
})

/** A notebook as Markdown. */
export interface RenderedNotebook {
  /** Text and code of the cells with their outputs. */
  markdown: string
  /** Number of cells. */
  cells: number
  /** Number of cells in the Markdown. */
  displayed: number
}

/**
 * Converts a Jupyter notebook (nbformat 4) to Markdown: its text, its code, and the outputs that are text or pictures.
 * @returns undefined if the text is not a notebook
 */
export function notebookMarkdown(text: string): RenderedNotebook | undefined {
  const { data } = notebook.safeParse(parseJson(text))
  if (data === undefined) return undefined
  const language = /^[\w+-]{1,20}$/.exec(data.metadata?.language_info?.name ?? '')?.[0] ?? ''
  const parts: string[] = []
  let length = 0
  for (const each of data.cells) {
    const part = cellMarkdown(each, language)
    length += part.length
    if (parts.length > 0 && length > maxCharacters) break
    parts.push(part)
  }
  return { markdown: parts.join('\n\n'), cells: data.cells.length, displayed: parts.length }
}

function cellMarkdown({ cell_type: type, source, outputs }: z.output<typeof cell>, language: string): string {
  if (type === 'markdown') return source
  if (type !== 'code') return fenced(source)
  return [fenced(source, language), ...outputs.map(outputMarkdown)].filter((part) => part !== '').join('\n\n')
}

function outputMarkdown({
  output_type: type,
  text,
  data = {},
  ename,
  evalue,
}: z.output<typeof output>): string {
  if (type === 'error') return fenced(`${ename ?? 'Error'}: ${evalue ?? ''}`)
  if (text !== undefined) return fenced(text)
  for (const format of ['image/png', 'image/jpeg']) {
    const picture = lines.safeParse(data[format]).data?.replaceAll(/\s/g, '')
    if (picture !== undefined && /^[\w+/=]+$/.test(picture))
      return `![Output](data:${format};base64,${picture})`
  }
  const plain = lines.safeParse(data['text/plain']).data
  return plain === undefined ? '' : fenced(plain)
}

/** Returns a code block whose fence is longer than any row of backticks in the text. */
function fenced(text: string, language = ''): string {
  if (text.trim() === '') return ''
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([row]) => row.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}
