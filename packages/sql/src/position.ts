/** Returns `line 2, column 5` for an offset in a string, counted in characters from 0. */
export function positionAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${Array.from(before.at(-1)!).length + 1}`
}

/** Returns the position of a name in the code of a statement, as ` (line 2, column 5)`; empty if it is not found. */
export function positionOfName(sql: string, name: string, isCall = false): string {
  const code = withoutTexts(sql)
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = `(?<![\\p{L}\\p{N}_])${escaped.replaceAll(String.raw`\.`, '[`"]?\\s*\\.\\s*[`"]?')}(?![\\p{L}\\p{N}_])${isCall ? '(?=[`"]?\\s*\\()' : ''}`
  const offset = code.search(new RegExp(pattern, 'iu'))
  return offset < 0 ? '' : ` (${positionAt(sql, offset)})`
}

/** Replaces string literals and comments with spaces, so that offsets stay the same. */
function withoutTexts(sql: string): string {
  return sql.replaceAll(/'(?:[^'\\]|\\.|'')*'|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\//g, (text) =>
    text.replaceAll(/[^\n]/g, ' '),
  )
}
