import { sql } from 'kysely'
import type { Clock, Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** A counter and its limits. */
export interface ThrottleRule {
  /** Identifies the counter. */
  key: string
  /** Number of attempts without a wait. */
  free: number
  /** Maximum wait between two attempts, in seconds. Waits start at one second and double. */
  maxWaitSeconds: number
}

/** Stores counters of attempts, shared by all servers. */
export interface ThrottleStore {
  /**
   * Counts an attempt under all rules, or under none if one of them is blocked. Concurrent attempts are serialised.
   * @returns seconds to wait; 0 if the attempt is admitted
   */
  take(rules: readonly ThrottleRule[]): Promise<number>
  /** Subtracts a successful attempt and unblocks the counter. */
  giveBack(key: string): Promise<void>
  /** Deletes counters. */
  forget(keys: readonly string[]): Promise<void>
  /** Records a sign-in of a user from an address. */
  addKnownAddress(userId: number, address: string): Promise<void>
  /** Returns whether the user signed in from the address within 30 days. */
  isKnownAddress(userName: string, address: string): Promise<boolean>
  /** Removes expired counters and addresses. */
  cleanUp(): Promise<void>
}

/** A counter restarts after an hour without an attempt. */
const forgetAfterSeconds = 3600
const knownAddressDays = 30

/** Creates the store of counters. */
export function createThrottleStore({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): ThrottleStore {
  const db = database.tables<AccountTables>()
  return {
    async take(rules) {
      const ordered = rules.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const blocked = new Error('blocked')
      try {
        await db.transaction().execute(async (transaction) => {
          for (const rule of ordered) {
            const taken = await takeOne(rule, clock.now()).execute(transaction)
            if (taken.rows.length === 0) throw blocked
          }
        })
        return 0
      } catch (error) {
        if (error !== blocked) throw error
        return longestWait(rules)
      }
    },

    async giveBack(key) {
      await db
        .updateTable('throttles')
        .set({ attempts: sql`greatest(attempts - 1, 0)`, blocked_until: null })
        .where('key', '=', key)
        .execute()
    },

    async forget(keys) {
      // One row at a time: a statement that locks several could deadlock with `take`.
      for (const key of keys) await db.deleteFrom('throttles').where('key', '=', key).execute()
    },

    async addKnownAddress(userId, address) {
      const seen = clock.now()
      await db
        .insertInto('known_addresses')
        .values({ user_id: userId, address, last_seen_at: seen })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'address']).doUpdateSet({ last_seen_at: seen }),
        )
        .execute()
    },

    async isKnownAddress(userName, address) {
      const row = await db
        .selectFrom('known_addresses')
        .innerJoin('users', 'users.id', 'known_addresses.user_id')
        .select('known_addresses.user_id')
        .where('users.user_name', '=', userName)
        .where('address', '=', address)
        .where('last_seen_at', '>', daysAgo(clock, knownAddressDays))
        .executeTakeFirst()
      return row !== undefined
    },

    async cleanUp() {
      await db
        .deleteFrom('throttles')
        .where('key', 'in', (eb) =>
          eb
            .selectFrom('throttles')
            .select('key')
            .where('last_attempt_at', '<', daysAgo(clock, 1))
            .forUpdate()
            .skipLocked(),
        )
        .execute()
      await db
        .deleteFrom('known_addresses')
        .where('last_seen_at', '<', daysAgo(clock, knownAddressDays))
        .execute()
    },
  }

  async function longestWait(rules: readonly ThrottleRule[]): Promise<number> {
    const { until } = await db
      .selectFrom('throttles')
      .select((eb) => eb.fn.max('blocked_until').as('until'))
      .where(
        'key',
        'in',
        rules.map((rule) => rule.key),
      )
      .executeTakeFirstOrThrow()
    const waitMs = (until?.getTime() ?? 0) - clock.now().getTime()
    return Math.max(1, Math.ceil(waitMs / 1000))
  }
}

function takeOne({ key, free, maxWaitSeconds }: ThrottleRule, now: Date) {
  const startsAgain = sql`throttles.last_attempt_at < ${now}::timestamptz - make_interval(secs => ${forgetAfterSeconds})`
  const attempts = sql`case when ${startsAgain} then 1 else throttles.attempts + 1 end`
  const wait = sql`make_interval(secs => least(${maxWaitSeconds}::float8, power(2, least((${attempts}) - ${free}::int, 30))))`
  return sql`
    insert into throttles (key, attempts, last_attempt_at)
    values (${key}, 1, ${now})
    on conflict (key) do update set
      attempts = ${attempts},
      blocked_until = case when (${attempts}) >= ${free}::int then ${now}::timestamptz + ${wait} end,
      last_attempt_at = ${now}
    where throttles.blocked_until is null or throttles.blocked_until <= ${now}
    returning key`
}

function daysAgo(clock: Clock, days: number): Date {
  return new Date(clock.now().getTime() - days * 86_400_000)
}
