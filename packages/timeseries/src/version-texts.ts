import { encodeInt64, encodeStrings } from './native-block.ts'
import { openScratchJoin } from './scratch-join.ts'
import { SeriesEngineError, type SeriesQuery } from './series-engine.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'
import { textArray } from './sql-params.ts'

/** Texts of versions as SQL: in the statement if they are few, else in a scratch table for as long as the answer lasts. */
export interface VersionTexts {
  /** Text of the version of a row, empty where there is none. */
  sql: string
  params: SqlParams
  drop(): Promise<void>
}

const maxInlineVersions = 500
const maxInlineCharacters = 16_000

/**
 * @param format how a text stands in the answer.
 * @throws SeriesEngineError `invalid` for a version that is not a positive whole number.
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
      throw new SeriesEngineError('invalid', `A text belongs to version ${version}, which cannot be.`)
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
  const scratch = await openScratchJoin(connection, columns, versions.length, (from, to) => [
    [encodeInt64(Float64Array.from(versions.slice(from, to), (version) => -version))],
    [encodeStrings(formatted.slice(from, to))],
  ])
  return { sql: scratch.lookUp('text', 'age'), params: {}, drop: scratch.drop }
}
