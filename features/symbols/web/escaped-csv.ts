import { FormulaEscaper } from '@headwater/csv'

/**
 * Converts an NCSV response to a file for spreadsheets: text that they would execute as a formula is escaped. Numbers
 * and dates are unchanged.
 */
export async function readEscapedCsv(response: Response): Promise<Blob> {
  const escaper = new FormulaEscaper(textColumns)
  const decoder = new TextDecoder()
  const parts: Blob[] = []
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    parts.push(new Blob([escaper.add(decoder.decode(next.value, { stream: true }))]))
  parts.push(new Blob([escaper.add(decoder.decode()), escaper.end()]))
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

/**
 * Returns for each column of an NCSV header whether it contains text: symbols are left of the date; other texts have
 * the suffix S.
 */
export function textColumns(header: readonly string[]): boolean[] {
  const date = header.findIndex((name) => /^date(time)?(\(.*\))?$/i.test(name))
  return header.map((name, index) => {
    if (index < date) return true
    const type = /\((?:MD-)?(S|DB|I|D)\)$/.exec(name)?.[1]
    return type === 'S' || (date < 0 && type === undefined)
  })
}
