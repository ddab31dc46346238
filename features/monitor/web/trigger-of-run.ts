import { triggersOfRun } from '@headwater/pipelines/web'
import type { ListedRun } from '../contract/index.ts'

/** Returns what started a run, for example `Schedule`, or `Backfill 2026-01-31`. */
export function triggerOfRun({ types, backfillDate }: Pick<ListedRun, 'types' | 'backfillDate'>): string {
  return backfillDate === null ? triggersOfRun(types) : `Backfill ${backfillDate}`
}
