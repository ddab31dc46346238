import { positionAt, positionOfName } from './position.ts'

const codes = {
  syntax: 62,
  memory: 241,
  unknownIdentifier: 47,
  unknownTable: 60,
  unknownFunction: 46,
  readonly: 164,
}

/** Returns the code of an error of the engine. */
export function codeOf(message: string): number {
  return Number(/Code: (\d+)/.exec(message)?.[1])
}

/** Returns whether the statement exceeded its memory limit. */
export function isMemoryError(message: string): boolean {
  return codeOf(message) === codes.memory
}

/** Translates an error of the engine into a sentence for users, with the position in the statement if it is known. */
export function describeError(message: string, sql: string, tableNames: readonly string[]): string {
  const reason = reasonOf(message)
  switch (codeOf(message)) {
    case codes.syntax:
      return describeSyntax(reason, sql)
    case codes.unknownIdentifier: {
      const name = /[`'“]([^`'”]+)[`'”]/.exec(reason)?.[1] ?? ''
      return `The column “${name}” is unknown${positionOfName(sql, name)}.${suggestions(reason)}`
    }
    case codes.unknownTable: {
      const name =
        /[`'“]([^`'”]+)[`'”]/.exec(reason)?.[1] ?? /(?:Table|identifier) (\S+) /.exec(reason)?.[1] ?? ''
      const plain = name.replace(/^default\./, '')
      return `The table “${plain}” is unknown${positionOfName(sql, plain)}. ${listOf(tableNames)}`
    }
    case codes.unknownFunction: {
      const name = /[Ff]unction(?: with name)? [`'“]?([\w.]+)/.exec(reason)?.[1] ?? ''
      return `The function “${name}” is unknown${positionOfName(sql, name, true)}.${suggestions(reason)}`
    }
    case codes.readonly:
      return `SETTINGS are not allowed${positionOfName(sql, 'settings')}. Remove them.`
    default: {
      const column = /out of allowed Date32 range.*?column: ([^:]+)/.exec(reason)?.[1]
      if (column !== undefined)
        return `The column “${column}” has a date before 1900 or after 2299, which a SELECT cannot read.`
      return `The SELECT failed: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
    }
  }
}

function listOf(tableNames: readonly string[]): string {
  return tableNames.length === 0
    ? 'The task has no tables. Add parameters of the type File or Series; each of them is a table.'
    : `The tables of the task are ${tableNames.join(', ')}.`
}

/** Returns the first sentence of an error message of the engine, without the statement and the version. */
function reasonOf(message: string): string {
  const text = message.replace(/^.*?DB::Exception: /s, '').replaceAll(/Code: \d+\. DB::Exception: /g, '')
  return text
    .replace(/\s*\(version [^)]*\)[\s\S]*$/, '')
    .replace(/\s*\([A-Z][A-Z0-9_]+\)[.\s]*$/, '')
    .replace(/:? In scope [\s\S]*?(?=\. Maybe you meant|$)/i, '')
    .replace(/:? (?:\(in file\/uri|While executing)[\s\S]*$/, '')
    .replaceAll(/\/run\/script\/\d+/g, 'the file')
    .trim()
    .slice(0, 500)
}

function suggestions(reason: string): string {
  const list = /Maybe you meant: \[(.*?)\]/.exec(reason)?.[1]
  return list === undefined ? '' : ` Similar names: ${list.replaceAll(/['`]/g, '')}.`
}

function describeSyntax(reason: string, sql: string): string {
  const position = /failed at position (\d+)/.exec(reason)?.[1]
  if (/Multi-statements/.test(reason))
    return `Only one statement is allowed${position === undefined ? '' : ` (${positionAt(sql, offsetOf(sql, Number(position)))})`}. Remove everything after it.`
  if (/Empty query/.test(reason)) return 'Write a SELECT.'
  if (position === undefined) return `The SELECT is not valid: ${reason}.`
  const offset = offsetOf(sql, Number(position))
  const token = /^\S+/.exec(sql.slice(offset))?.[0].slice(0, 30)
  const unmatched = /Unmatched parentheses/.test(reason) ? ' A parenthesis has no counterpart.' : ''
  const expected = /Expected one of: (.*)$/s.exec(reason)?.[1] ?? /Expected ([^.]*)/.exec(reason)?.[1]
  const names = expected
    ?.split(', ')
    .filter((name) => !/token|identifier\)/.test(name))
    .slice(0, 8)
    .join(', ')
  const hint = unmatched === '' && names ? ` Expected: ${names}.` : ''
  return `The SELECT is not valid at ${positionAt(sql, offset)}${token === undefined ? '' : `, near “${token}”`}.${unmatched}${hint}`
}

/** Turns a position of the engine, in bytes from 1, into an offset in characters from 0. */
function offsetOf(sql: string, position: number): number {
  return Buffer.from(sql)
    .subarray(0, Math.max(0, position - 1))
    .toString('utf8').length
}
