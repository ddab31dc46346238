import { readStoredList, writeStoredList } from '@headwater/web-kit'
import type { InsightName } from '../insights-client.ts'

/** Browser key of the insights whose automatically opened parameters the user closed. */
const key = 'ng-closed-params'
/** Maximum number of stored insights; the oldest are removed first. */
const maxEntries = 50

/** Returns whether the user closed the automatically opened parameters of an insight in this browser. */
export function wereParamsClosed(insight: InsightName): boolean {
  return readStoredList(key).some((entry) => isFor(entry, insight))
}

/** Stores whether the user closed the parameters of an insight. */
export function storeParamsClosed({ groupName, insightName }: InsightName, closed: boolean): void {
  const insight = { groupName, insightName }
  const others = readStoredList(key).filter((entry) => !isFor(entry, insight))
  writeStoredList(key, closed ? [...others.slice(1 - maxEntries), insight] : others)
}

function isFor(entry: unknown, { groupName, insightName }: InsightName): boolean {
  const { groupName: group, insightName: name } = (entry ?? {}) as Partial<InsightName>
  return group === groupName && name === insightName
}
