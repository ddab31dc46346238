import type { Tile } from '../../contract/index.ts'

/** Sources of data that cannot be shown here yet, by what they are called. */
const names: Readonly<Record<string, string>> = { FILE: 'a file', SOURCE_TILE: 'another tile' }

/** What a chart or table takes its data from instead of storage; undefined when it asks storage. */
export function otherSourceOf({ source }: Tile): string | undefined {
  if (typeof source !== 'object' || source === null || !('type' in source)) return undefined
  return names[String(source.type).toUpperCase()]
}
