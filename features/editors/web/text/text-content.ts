/** The text of a file, and what is needed to write it back. A file with line ends of several kinds is written with those of its first line. */
export interface TextContent {
  /** With line feeds between lines. */
  text: string
  /** How the lines of the file end, taken from the first of them. */
  lineEnd: '\n' | '\r\n'
  /** Whether the file begins with a byte order mark. */
  hasMark: boolean
}

const mark = '\ufeff'

/** Reads a file as text; undefined when it is no text in UTF-8, as it could not be written back unharmed. */
export async function readText(content: Blob): Promise<TextContent | undefined> {
  const bytes = await content.arrayBuffer()
  let decoded: string
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  if (decoded.includes('\u0000')) return undefined
  const hasMark = decoded.startsWith(mark)
  return {
    text: (hasMark ? decoded.slice(1) : decoded).replace(/\r\n?/g, '\n'),
    lineEnd: /\r?\n/.exec(decoded)?.[0] === '\r\n' ? '\r\n' : '\n',
    hasMark,
  }
}

/** A text as the content of a file, with the line ends and the mark of the file it came from. */
export function writeText(text: string, { lineEnd, hasMark }: TextContent): Blob {
  const lines = lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
  return new Blob([hasMark ? mark + lines : lines], { type: 'text/plain' })
}
