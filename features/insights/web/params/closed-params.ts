import { readStoredList, writeStoredList } from '@headwater/web-kit'
import type { InsightName } from '../insights-client.ts'

/** Where the browser keeps in which insights the parameters were closed that open by themselves. */
const key = 'ng-closed-params'
/** How many insights are remembered; the oldest go first. */
const maxEntries = 50

/** Whether the parameters of an insight, which open by themselves, were closed here the last time. */
export function areParamsKeptClosed(insight: InsightName): boolean {
  return readStoredList(key).some((entry) => isFor(entry, insight))
}

/** Keeps that the parameters of an insight were closed, or were opened again. */
export function keepParamsClosed({ groupName, insightName }: InsightName, closed: boolean): void {
  const insight = { groupName, insightName }
  const others = readStoredList(key).filter((entry) => !isFor(entry, insight))
  writeStoredList(key, closed ? [...others.slice(1 - maxEntries), insight] : others)
}

function isFor(entry: unknown, { groupName, insightName }: InsightName): boolean {
  const { groupName: group, insightName: name } = (entry ?? {}) as Partial<InsightName>
  return group === groupName && name === insightName
}
