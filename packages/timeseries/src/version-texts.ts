import { encodeInt64, encodeStrings } from './native-block.ts'
import { openTemporaryJoin } from './temporary-join.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'
import { textArray } from './sql-params.ts'

/**
 * Texts of versions as SQL: inline if there are few, otherwise in a temporary table that exists until the result has been
 * read.
 */
export interface VersionTexts {
  /** SQL that returns the text of a row's version; empty if it has none. */
  sql: string
  /** Parameters of the SQL. */
  params: SqlParams
  /** Drops the temporary table. */
  drop(): Promise<void>
}

const maxInlineVersions = 500
const maxInlineCharacters = 16_000

/**
 * @param format formats a string for the result
 * @throws SeriesEngineError `invalid` for a version that is not a positive whole number
 */
export async function openVersionTexts(
  connection: SqlConnection,
  { texts }: NonNullable<SeriesQuery['versionTexts']>,
  format: (text: string) => string,
): Promise<VersionTexts> {
  const byVersion = new Map<number, string>()
  let characters = 0
  for (const [version, text] of texts) {
    if (!Number.isSafeInteger(version) || version <= 0) {
      throw new SeriesEngineError(
        'invalid',
        `A text belongs to version ${version}; versions are whole numbers from 1.`,
      )
    }
    if (text === '') continue
    byVersion.set(version, format(text))
    characters += text.length
  }
  const versions = [...byVersion.keys()]
  const formatted = [...byVersion.values()]
  if (versions.length === 0) return { sql: `''`, params: {}, drop: async () => {} }
  if (versions.length <= maxInlineVersions && characters <= maxInlineCharacters) {
    const ages = versions.map((version) => quoteInteger(-version)).join(', ')
    const { sql, params } = textArray('version', formatted)
    return {
      sql: `transform(age, CAST([${ages}] AS Array(Int64)), ${sql}, '')`,
      params,
      drop: async () => {},
    }
  }
  const columns = [
    { name: 'age', type: 'Int64' },
    { name: 'text', type: 'String' },
  ]
  const temporary = await openTemporaryJoin(connection, columns, versions.length, (from, to) => [
    [encodeInt64(Float64Array.from(versions.slice(from, to), (version) => -version))],
    [encodeStrings(formatted.slice(from, to))],
  ])
  return { sql: temporary.lookUp('text', 'age'), params: {}, drop: temporary.drop }
}
