import { StringDecoder } from 'node:string_decoder'

/** Characters of a line at most; the rest of a longer one comes as further lines. */
export const longestLine = 8192

/** Makes lines out of bytes as they arrive. */
export interface LineReader {
  write(chunk: Buffer): void
  /** Hands over what came after the last line end. */
  end(): void
}

/** @param onLine gets each line without its line end, at most `longestLine` characters */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8')
  let rest = ''

  function take(text: string): void {
    const lines = (rest + text).split('\n')
    rest = handOverFull(lines.pop()!)
    for (const line of lines) onLine(handOverFull(line).replace(/\r$/, ''))
  }

  function handOverFull(line: string): string {
    let start = 0
    while (line.length - start > longestLine) {
      const isInPair = /[\uD800-\uDBFF]/.test(line[start + longestLine - 1]!)
      const end = start + longestLine - (isInPair ? 1 : 0)
      onLine(line.slice(start, end))
      start = end
    }
    return line.slice(start)
  }

  return {
    write: (chunk) => take(decoder.write(chunk)),
    end() {
      take(decoder.end())
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
