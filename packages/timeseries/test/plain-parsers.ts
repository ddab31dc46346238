/** Parses comma separated lines to cells without quotes; blanks around an unquoted cell are dropped. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? bare?.trim() ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows.at(-1)?.join('') === '' ? rows.slice(0, -1) : rows
}

/** Like JSON.parse, but rejects duplicate members, because a reader would lose one of them. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  const open: (Set<string> | undefined)[] = []
  for (const [index, token] of tokens.entries()) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (tokens[index + 1] === ':') {
      const names = open.at(-1)!
      if (names.has(token)) throw new Error(`The member ${token} is duplicated.`)
      names.add(token)
    }
  }
  return value
}
