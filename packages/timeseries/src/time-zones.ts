import { canonicalZone } from '@headwater/zones'
import { readOldOffsets, type OldOffsets } from './old-offsets.ts'
import { SeriesEngineError, type SeriesQuery } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'

/** A question whose zone is one of the engine. */
export interface ZonedQuery extends SeriesQuery {
  /** Offsets of the zone that texts of old moments are made by instead of by the engine's. */
  oldOffsets?: OldOffsets | undefined
}

/** The time zones of the engine. They are fewer than those of this runtime, and it minds the letter case. */
export class TimeZones {
  readonly #connection: SqlConnection
  /** Names by themselves in lower case; undefined until they were asked for. */
  #names: Promise<ReadonlyMap<string, string>> | undefined
  /** By zone. */
  readonly #oldOffsets = new Map<string, Promise<OldOffsets | undefined>>()

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /**
   * The name by which the engine knows a zone; the given one where it does.
   * @throws SeriesEngineError `invalid` for a name that is not a zone, or one the engine has no rules of.
   */
  async resolve(name: string): Promise<string> {
    if (name === 'UTC') return name
    const canonical = canonicalZone(name)
    this.#names ??= this.#read()
    const names = await this.#names
    const found = names.get(name.toLowerCase()) ?? names.get((canonical ?? '').toLowerCase())
    if (canonical !== undefined && found !== undefined) return found
    throw new SeriesEngineError(
      'invalid',
      `“${name.slice(0, 40)}” is not a known time zone. Use an IANA name such as Europe/London, or UTC.`,
    )
  }

  /** Offsets by which texts of old moments are made, of a zone that was resolved; undefined where the engine makes them. */
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
