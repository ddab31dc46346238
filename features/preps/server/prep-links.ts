import { symbolTarget, type ItemLink } from '@headwater/items/server'
import type { DataPrepContent } from '../contract/index.ts'

/** Returns the groups and symbols that a definition names; a pattern names its group only. */
export function linksOfPrep({
  dataGroupName,
  symbols: entries,
}: Pick<DataPrepContent, 'dataGroupName' | 'symbols'>): ItemLink[] {
  return entries.flatMap(({ groupName, symbols, pattern }) => {
    const group = groupName ?? dataGroupName
    if (!group) return []
    const links: ItemLink[] = [{ type: 'group', target: group }]
    const isOneSymbol = !pattern && Object.keys(symbols).length > 0
    if (isOneSymbol) links.push({ type: 'symbol', group, target: symbolTarget(symbols) })
    return links
  })
}
