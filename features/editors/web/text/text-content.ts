/** The text of a file and its encoding details. A file with mixed line endings is written with those of its first line. */
export interface TextContent {
  /** The text, with line feeds between lines. */
  text: string
  /** Line end of the first line. */
  lineEnd: '\n' | '\r\n'
  /** Whether the file begins with a byte order mark. */
  hasMark: boolean
}

const mark = '\ufeff'

/** Reads a file as text; undefined if it is not valid UTF-8, because a save would damage it. */
export function readText(bytes: ArrayBuffer | Uint8Array): TextContent | undefined {
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

/** Returns the text of a file with the line endings and the byte order mark of the original. */
export function originalText(text: string, { lineEnd, hasMark }: Omit<TextContent, 'text'>): string {
  const lines = lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
  return hasMark ? mark + lines : lines
}

/** Returns the content of a file with the line endings and the byte order mark of the original. */
export function writeText(text: string, original: TextContent): Blob {
  return new Blob([originalText(text, original)], { type: 'text/plain' })
}
