import type { DataPrepSymbols } from '../../contract/index.ts'
import type { LoadedResult } from './loaded-result.ts'

/**
 * Groups that were asked for and that nothing came from. Storage leaves out what a user cannot read as long as something
 * is left, so these may be out of reach.
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
