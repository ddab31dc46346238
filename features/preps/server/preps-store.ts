import { sql } from 'kysely'
import type { Items, ItemStore, StoredItem } from '@headwater/items/server'
import { newDataPrep, type DataPrepContent } from '../contract/index.ts'
import { linksOfPrep } from './prep-links.ts'

/** Parts of a definition in lists. */
export interface PrepSummary {
  /** Number of entries of the basket. */
  symbolCount: number
  /** The range. */
  range: StoredRange
}

/** Range of a definition; fields without a value are null. */
type StoredRange = {
  [Field in 'range' | 'lastType' | 'lastTypeAmount' | 'dateFrom' | 'dateTo']: DataPrepContent[Field] | null
}

/** Schedule of a data prep in lists. */
interface PrepSchedule {
  /** Time of the next run; null without one. */
  nextRunAt: Date | null
  scheduleTimeZone: string | null
  schedulePaused: boolean
}

/** A version of a data prep without its definition. */
export type ListedPrep = StoredItem<PrepSummary> & PrepSchedule

/** A version of a data prep. */
export type StoredPrep = ListedPrep & { content: DataPrepContent }

/** Store of data preps. */
export type PrepsStore = ItemStore<DataPrepContent, PrepSummary, PrepSchedule>

/** Kind of data preps in items and schedules. */
export const prepKind = 'data-prep'

/** Creates the store. */
export function createPrepsStore(items: Items): PrepsStore {
  const { name: _name, outputGroup: _outputGroup, ...defaults } = newDataPrep()
  return items.storeOf<DataPrepContent, PrepSummary, PrepSchedule>({
    kind: prepKind,
    summaryOf: ({ symbols, range, lastType, lastTypeAmount, dateFrom, dateTo }) => ({
      symbolCount: symbols.length,
      range: { range, lastType, lastTypeAmount, dateFrom, dateTo },
    }),
    linksOf: linksOfPrep,
    contentOf: (stored) => ({ ...defaults, ...stored }),
    extra: {
      join: sql`left join schedule_moments schedule on schedule.target_id = item.id and schedule.kind = item.kind`,
      columns: {
        nextRunAt: sql<Date | null>`schedule.next_at`,
        scheduleTimeZone: sql<string | null>`schedule.triggers -> 0 ->> 'timeZone'`,
        schedulePaused: sql<boolean>`schedule.active is false`,
      },
    },
  })
}
