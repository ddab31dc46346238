import { canonicalZone } from '@headwater/zones'
import { readOldOffsets, type OldOffsets } from './old-offsets.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { withZoneName } from './value-sql.ts'

/** A query with a time zone that the engine knows. */
export interface ZonedQuery extends SeriesQuery {
  /** Offsets of the zone for formatting old timestamps; undefined to use the offsets of the engine. */
  oldOffsets?: OldOffsets | undefined
}

/** The time zones of the engine. It knows fewer than this runtime, and their names are case-sensitive. */
export class TimeZones {
  readonly #connection: SqlConnection
  /** Names by their lower-case form; undefined until requested. */
  #names: Promise<ReadonlyMap<string, string>> | undefined
  /** Old offsets by zone. */
  readonly #oldOffsets = new Map<string, Promise<OldOffsets | undefined>>()

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /**
   * Returns the name by which the engine knows a zone, preferably the given one.
   * @throws SeriesEngineError `invalid` for an unknown zone, or one for which the engine has no rules
   */
  async resolve(name: string): Promise<string> {
    if (name === 'UTC') return name
    const canonical = canonicalZone(name)
    this.#names ??= this.#read()
    const names = await this.#names
    const resolved = names.get(name.toLowerCase()) ?? names.get((canonical ?? '').toLowerCase())
    if (canonical !== undefined && resolved !== undefined) return resolved
    throw new SeriesEngineError(
      'invalid',
      `“${name.slice(0, 40)}” is not a known time zone. Use an IANA name such as Europe/London, or UTC.`,
    )
  }

  /**
   * Returns the offsets for formatting old timestamps in a resolved zone; undefined if the engine formats them correctly.
   */
  async oldOffsets(timeZone: string): Promise<OldOffsets | undefined> {
    if (timeZone === 'UTC') return undefined
    const known = this.#oldOffsets.get(timeZone)
    if (known !== undefined) return known
    const reading = readOldOffsets(this.#connection, timeZone)
    this.#oldOffsets.set(timeZone, reading)
    reading.catch(() => this.#oldOffsets.delete(timeZone))
    return reading
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    try {
      const rows = await this.#connection.rows('SELECT time_zone AS name FROM system.time_zones')
      return new Map(rows.map((row) => [String(row.name).toLowerCase(), String(row.name)]))
    } catch (error) {
      this.#names = undefined
      throw error
    }
  }
}

/** Returns the parameters of SQL that formats the timestamps of a query. */
export function zoneParams(query: SeriesQuery): SqlParams {
  const { timeZone: zone = 'UTC', dateFormat: pattern = '' } = query
  return { zone, pattern, zonedPattern: withZoneName(pattern, zone) }
}
