import type { DataPrepSymbols } from '../../contract/index.ts'
import type { LoadedResult } from './loaded-result.ts'

/**
 * Returns the queried groups without rows. Storage omits series that the user cannot read, so the user may have no access to these groups.
 */
export function silentGroups(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  results: readonly LoadedResult[],
): string[] {
  return [...new Set(symbols.map(({ groupName }) => groupName))].filter((groupName) =>
    symbols.every(
      (entry) =>
        entry.groupName !== groupName ||
        results.every(
          ({ groupNames, rowsOf }) => !groupNames.has(groupName) || rowsOf(entry.symbols).length === 0,
        ),
    ),
  )
}
