import { SeriesEngineError } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'

/** The time zones of the engine. They are fewer than those of this runtime, and it minds the letter case. */
export class TimeZones {
  readonly #connection: SqlConnection
  /** Names by themselves in lower case; undefined until they were asked for. */
  #names: Promise<ReadonlyMap<string, string>> | undefined

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /**
   * The name by which the engine knows a zone; the given one where it does.
   * @throws SeriesEngineError `invalid` for a name that is not a zone, or one the engine has no rules of.
   */
  async resolve(name: string): Promise<string> {
    if (name === 'UTC') return name
    const canonical = canonicalName(name)
    this.#names ??= this.#read()
    const names = await this.#names
    const found = names.get(name.toLowerCase()) ?? names.get((canonical ?? '').toLowerCase())
    if (canonical !== undefined && found !== undefined) return found
    throw new SeriesEngineError(
      'invalid',
      `“${name.slice(0, 40)}” is not a known time zone. Use an IANA name such as Europe/London, or UTC.`,
    )
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

function canonicalName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
