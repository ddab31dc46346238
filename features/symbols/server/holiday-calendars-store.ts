import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { Holiday } from '../contract/index.ts'

/** A custom calendar of a company. */
export interface OwnCalendar {
  /** Name, unique regardless of case. */
  name: string
  /** Id of the company. */
  companyId: number
  /** Description; can be empty. */
  description: string
  /** Weekly non-working days, 1 = Monday to 7 = Sunday. */
  weekend: number[]
  /** Holidays by date ascending. */
  days: Holiday[]
}

/** Stores custom calendars. */
export interface HolidayCalendarsStore {
  /** Returns the names and descriptions of all calendars. */
  list(): Promise<{ name: string; description: string }[]>
  /** Returns a calendar by name, regardless of case. */
  find(name: string): Promise<OwnCalendar | undefined>
  /**
   * Creates or replaces a calendar. Returns false when the name belongs to another company, or exists in different case. With
   * `anyCompany` it also replaces a calendar of another company.
   */
  save(calendar: OwnCalendar, anyCompany: boolean): Promise<boolean>
  /** Deletes a calendar. */
  remove(name: string): Promise<void>
}

/** Creates the store in PostgreSQL. */
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
