import { sql } from 'kysely'
import type { Items, ItemStore, StoredItem } from '@headwater/items/server'
import { newDataPrep, type DataPrepQuestion } from '../contract/index.ts'

/** What lists show of a definition. */
export interface PrepSummary {
  symbolCount: number
  range: StoredRange
}

/** The range of a definition; fields that were saved without a value are null. */
type StoredRange = {
  [Field in 'range' | 'lastType' | 'lastTypeAmount' | 'dateFrom' | 'dateTo']: DataPrepQuestion[Field] | null
}

/** What lists show of the schedule of a data prep. */
interface PrepSchedule {
  /** When its schedule runs it next. */
  nextRunAt: Date | null
  scheduleTimeZone: string | null
  schedulePaused: boolean
}

/** A version of a data prep without its definition. */
export type ListedPrep = StoredItem<PrepSummary> & PrepSchedule

/** A version of a data prep. */
export type StoredPrep = ListedPrep & { content: DataPrepQuestion }

/** The data preps in PostgreSQL. */
export type PrepsStore = ItemStore<DataPrepQuestion, PrepSummary, PrepSchedule>

/** Kind of the items and of their schedules. */
export const prepKind = 'data-prep'

/** Creates the store. */
export function createPrepsStore(items: Items): PrepsStore {
  const { name: _name, outputGroup: _outputGroup, ...defaults } = newDataPrep()
  return items.storeOf<DataPrepQuestion, PrepSummary, PrepSchedule>({
    kind: prepKind,
    summaryOf: ({ symbols, range, lastType, lastTypeAmount, dateFrom, dateTo }) => ({
      symbolCount: symbols.length,
      range: { range, lastType, lastTypeAmount, dateFrom, dateTo },
    }),
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
