import type { SqlParams } from './sql-connection.ts'

/**
 * Maximum number of characters of a parameter. A server limits each field of the URL to 128 KiB, and a character can need
 * nine bytes.
 */
export const maxParameterCharacters = 12_000

/**
 * Encodes strings as a SQL array, with as many parameters as their length requires. `name` is unique within the statement.
 */
export function textArray(name: string, texts: readonly string[]): { sql: string; params: SqlParams } {
  const lists: string[][] = [[]]
  let characters = 0
  for (const text of texts) {
    if (characters > 0 && characters + text.length > maxParameterCharacters) {
      lists.push([])
      characters = 0
    }
    lists.at(-1)!.push(text)
    characters += text.length + 3
  }
  const arrays = lists.map((_, index) => `{${name}_${index}:Array(String)}`)
  return {
    sql: arrays.length === 1 ? arrays[0]! : `arrayConcat(${arrays.join(', ')})`,
    params: Object.fromEntries(lists.map((list, index) => [`${name}_${index}`, list])),
  }
}

/** Returns the parameters that a statement uses. A server accepts unused parameters, but each makes the URL longer. */
export function usedParams(sql: string, params: SqlParams): SqlParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => sql.includes(`{${name}:`)))
}
