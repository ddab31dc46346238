import type { DataQueryInput } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** Maximum number of symbols in a query to copy or download. */
export const maxQueriedSymbols = 10_000

/** Returns a query for all points of symbols as NCSV. */
export function queryFor(symbols: readonly SymbolAddress[], timeZone: string): DataQueryInput {
  return {
    keys: symbols.map(({ groupName, symbols: keys }) => ({ groupName, symbols: keys })),
    range: 'ALL',
    formatType: 'NCSV',
    timeZone,
    metadata: true,
  }
}

/** Formats a query as readable JSON. */
export function jsonOf(query: DataQueryInput): string {
  return JSON.stringify(query, null, 2)
}

/** Formats a query as a curl command. The API key is a variable, so that it does not appear in the shell history. */
export function curlOf(query: DataQueryInput, origin: string): string {
  const body = JSON.stringify(query).replaceAll("'", String.raw`'\''`)
  return [
    `curl -X POST '${origin}/ts/stream'`,
    `-H "Authorization: ApiKey $NG_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ')
}
