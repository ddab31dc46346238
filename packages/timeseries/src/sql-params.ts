import type { SqlParams } from './sql-connection.ts'

/** Most characters of a parameter: a server takes no field of its address longer than 128 KiB, and a character may take nine bytes of it. */
export const maxParameterCharacters = 12_000

/** Texts as an array of SQL, in as many parameters as their length asks for. `name` is unique within the statement. */
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

/** The parameters a statement uses. A server refuses none it does not use, but each costs a place in its address. */
export function usedParams(sql: string, params: SqlParams): SqlParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => sql.includes(`{${name}:`)))
}
