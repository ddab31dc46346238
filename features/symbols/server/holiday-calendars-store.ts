import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { Holiday } from '../contract/index.ts'

/** A calendar that the administrators of a company keep. */
export interface OwnCalendar {
  name: string
  companyId: number
  description: string
  weekend: number[]
  days: Holiday[]
}

/** The calendars of companies. */
export interface HolidayCalendarsStore {
  list(): Promise<{ name: string; description: string }[]>
  /** By name in any letter case. */
  find(name: string): Promise<OwnCalendar | undefined>
  /**
   * Makes it or replaces it; false when one of this name belongs to another company, or is spelled in other letter case. With
   * `anyCompany` that of another company is replaced too.
   */
  save(calendar: OwnCalendar, anyCompany: boolean): Promise<boolean>
  remove(name: string): Promise<void>
}

/** The calendars in PostgreSQL. */
export function createHolidayCalendarsStore(database: Database): HolidayCalendarsStore {
  const db = database.tables<Record<string, never>>()
  return {
    async list() {
      const { rows } = await sql<{ name: string; description: string }>`
        select name, description from holiday_calendars`.execute(db)
      return rows
    },
    async find(name) {
      const { rows } = await sql<OwnCalendar>`
        select name, company_id as "companyId", description, weekend, days from holiday_calendars
        where lower(name) = lower(${name})`.execute(db)
      return rows[0]
    },
    async save({ name, companyId, description, weekend, days }, anyCompany) {
      const { rows } = await sql`
        insert into holiday_calendars (company_id, name, description, weekend, days)
        values (${companyId}, ${name}, ${description}, ${weekend}::int[], ${JSON.stringify(days)}::jsonb)
        on conflict (lower(name)) do update set
          description = excluded.description, weekend = excluded.weekend, days = excluded.days
        where holiday_calendars.name = excluded.name
          and (holiday_calendars.company_id = excluded.company_id or ${anyCompany})
        returning id`.execute(db)
      return rows.length > 0
    },
    async remove(name) {
      await sql`delete from holiday_calendars where lower(name) = lower(${name})`.execute(db)
    },
  }
}
