import type { DataQueryInput } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** Most symbols of a question that is copied or downloaded. */
export const maxAskedSymbols = 10_000

/** All points of symbols as a question that an NCSV file answers. */
export function questionOf(symbols: readonly SymbolAddress[], timeZone: string): DataQueryInput {
  return {
    keys: symbols.map(({ groupName, symbols: keys }) => ({ groupName, symbols: keys })),
    range: 'ALL',
    formatType: 'NCSV',
    timeZone,
    metadata: true,
  }
}

/** The question as JSON, fit to be read. */
export function jsonOf(question: DataQueryInput): string {
  return JSON.stringify(question, null, 2)
}

/** The question as a command line. The key stands in a variable, so that it is in no history of commands. */
export function curlOf(question: DataQueryInput, origin: string): string {
  const body = JSON.stringify(question).replaceAll("'", String.raw`'\''`)
  return [
    `curl -X POST '${origin}/ts/stream'`,
    `-H "Authorization: ApiKey $NG_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ')
}
