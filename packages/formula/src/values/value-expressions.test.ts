import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { evaluateValueExpression, parseValueExpression, valueFunctions, type ValueContext } from '../index.ts'

/** Offsets of three zones. In this test, Berlin has summer time from April to October. */
function zoneOffsetMs(timeZone: string, utcMs: number): number {
  const month = new Date(utcMs).getUTCMonth()
  if (timeZone === 'Europe/Berlin') return (month >= 3 && month <= 9 ? 2 : 1) * 3_600_000
  if (timeZone === 'Asia/Tokyo') return 9 * 3_600_000
  throw new RangeError('unknown zone')
}

const names: Readonly<Record<string, string | number>> = {
  'run.date': '2026-11-28',
  'trigger.fileName': 'prices.csv',
  'params.Market': 'WTI',
  'params.Deep': '['.repeat(5000) + ']'.repeat(5000),
  '${5f3c0000-0000-4000-8000-000000000001}': '{"id": "f1", "rows": [3, 4]}',
}
const context: ValueContext = {
  now: new Date('2026-11-28T23:30:00Z'),
  zoneOffsetMs,
  valueOf: (name) => (Object.hasOwn(names, name) ? names[name] : undefined),
  unknownName: (name) => `There is no value “${name}”.`,
}

/** Returns the result of an expression, or the message of its error. */
function result(text: string): string {
  const { tree, fault } = parseValueExpression(text)
  if (tree === undefined) return fault.message
  try {
    return evaluateValueExpression(tree, context)
  } catch (error) {
    return `error: ${(error as Error).message}`
  }
}

test.each([
  // texts
  ['"a" & "b" & 1 + 2', 'ab3'],
  [`'It\\'s' & "\\n"`, "It's\n"],
  ['upper("wti") & lower("WTI")', 'WTIwti'],
  ['replace(trigger.fileName, ".csv", ".json")', 'prices.json'],
  ['slice("Brent", 1, 3) & slice("Brent", -2)', 'rent'],
  ['contains("Brent", "ren")', 'true'],
  ['padstart(7, 3, "0")', '007'],
  ['urlencode("a b&c")', 'a%20b%26c'],
  // numbers
  ['1 + 2 * 3 ^ 2', '19'],
  ['-2 ^ 2', '-4'],
  ['"2" * "3.5"', '7'],
  ['round(2.345, 2)', '2.35'],
  ['round(-1.005, 2)', '-1.01'],
  ['round(0.0000001, 2)', '0'],
  ['mod(-1, 3)', '2'],
  // lists
  ['["a", 1, true]', '["a",1,true]'],
  ['join(sort(split("b;a", ";")), "+")', 'a+b'],
  ['sum([1, 2], 3) & max("[4, 5]")', '65'],
  ['item(["a", "b"], 1) & first([]) & count(["x"])', 'b1'],
  ['contains(["a", "b"], "b")', 'true'],
  // conditions
  ['if(2 > "10", "more", "less")', 'less'],
  ['if(and(1 < 2, not(1 = 2)), "yes")', 'yes'],
  ['if(true, 1, 1 / 0)', '1'],
  ['coalesce("", null, "x")', 'x'],
  ['isempty(" ")', 'true'],
  // dates
  ['now()', '2026-11-28T23:30:00Z'],
  ['today() & " " & today("Asia/Tokyo")', '2026-11-28 2026-11-29'],
  ['adddays(run.date, -1)', '2026-11-27'],
  ['addmonths("2026-01-31", 1)', '2026-02-28'],
  ['addhours("2026-01-31T23:00:00Z", 2)', '2026-02-01T01:00:00Z'],
  ['startof(run.date, "week") & endof(run.date, "month")', '2026-11-232026-11-30'],
  ['format(now(), "dd.MM.yy HH:mm", "Europe/Berlin")', '29.11.26 00:30'],
  ['toutc("2026-07-01 08:00", "Europe/Berlin")', '2026-07-01T06:00:00Z'],
  ['weekday(run.date) & year(run.date) & month(run.date) & day(run.date)', '620261128'],
  ['daysbetween("2026-01-01", "2026-01-31")', '30'],
  ['run.date > "2026-11-27"', 'true'],
  // values from the run
  ['get(${5f3c0000-0000-4000-8000-000000000001}, "rows.1")', '4'],
  ['get("{\\"a\\": {\\"b\\": 1}}", "a")', '{"b":1}'],
])('%s is %s', (text, expected) => {
  expect(result(text)).toBe(expected)
})

test.each([
  ['', 'but found the end (character 1).'],
  ['1 +', 'but found the end (character 4).'],
  ['"a', 'Unexpected'],
  ['upper(', 'but found the end'],
  ['upper()', 'Write upper(x) (character 1).'],
  ['shout("a")', 'There is no function “shout”. The functions are if, and, or'],
  ['upper', 'is a function and needs parentheses'],
  ['1 < 2 < 3', 'Two comparisons in a row need parentheses'],
  ['run.tomorrow', 'There is no value “run.tomorrow”.'],
  ['"a" + 1', '“a” is not a number. Use & to concatenate texts.'],
  ['1 / 0', 'The result is not a finite number.'],
  ['adddays("2026-02-31", 1)', '“2026-02-31” is not a date.'],
  ['today("Mars")', '“Mars” is not a time zone.'],
  ['get("x", "a")', '“x” is not JSON.'],
  ['get(params.Deep, "0")', 'Lists and objects can have at most 100 levels.'],
  ['item([1], 0.5)', '0.5 is not a whole number.'],
])('%s is rejected: %s', (text, message) => {
  expect(result(text)).toContain(message)
})

test('expressions cannot access anything on the host', () => {
  for (const text of [
    'constructor',
    '__proto__',
    'process.env',
    'globalThis',
    'toString',
    '"".constructor',
    '[].constructor("return 1")()',
    'this["constructor"]',
    '${constructor}',
    'require("fs")',
    'eval("1")',
    '`a`',
    '() => 1',
    'while(true)',
  ])
    expect(result(text), text).toMatch(/There is no|Unexpected|Expected|needs parentheses/)
  expect(result('get("{}", "constructor")')).toBe('')
  expect(result('get("{}", "__proto__.polluted")')).toBe('')
})

test('limits depth, size, work, lists and texts, so that no accepted expression is slow', () => {
  const long = (count: number) => `"${'a'.repeat(count)}"`
  const grow = (levels: number) => {
    let text = 'replace("aaaaaaaaaa", "a", "aaaaaaaaaa")'
    for (let level = 0; level < levels; level++) text = `replace(${text}, "a", "aaaaaaaaaa")`
    return text
  }
  const rejected: [string, string][] = [
    [`${'('.repeat(101)}1${')'.repeat(101)}`, 'nested at most 100 deep'],
    [`${'['.repeat(101)}1${']'.repeat(101)}`, 'nested at most 100 deep'],
    [`1${'+1'.repeat(999)}`, 'at most 1000 values'],
    [long(2000), 'at most 2000 are allowed'],
    [grow(10), 'at most 100,000 characters'],
    [`split(${grow(2)}, "a")`, 'at most 1,000 items'],
    [`padstart("a", 1e9, "x") & padstart("a", 1e9, "x")`, 'at most 100,000 characters'],
  ]
  for (const [text, message] of rejected) expect(result(text), text).toContain(message)
  const heavy = Array.from({ length: 22 }, () => `count(split(${grow(1)}, "b"))`).join('+')
  expect(result(heavy)).toBe('22')
  expect(result(grow(3))).toBe('a'.repeat(100_000))
  const costly = `sum(${Array.from({ length: 40 }, () => 'length(padstart(1, 99999, "x"))').join(',')})`
  expect(result(costly)).toContain('too much work')
})

test('the example of each function evaluates to its documented result', () => {
  for (const [name, { example, usage, meaning }] of Object.entries(valueFunctions)) {
    expect(usage.startsWith(`${name}(`), name).toBe(true)
    expect(meaning, name).toMatch(/\.$/)
    expect(result(example), example).not.toMatch(/error|Expected|no function/)
  }
})

/** Returns the rows of a table of the guide without backquotes. */
function guideRows(header: string): string[][] {
  const guide = readFileSync(new URL('../../../../docs/guide/expressions.md', import.meta.url), 'utf8')
  const lines = guide.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${header} `))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(/^`|`$/g, '')),
  )
}

test('the guide lists every function, and its examples have the listed results', () => {
  const listed = guideRows('function')
  expect(listed.map(([usage, meaning, example]) => [usage, meaning, example])).toEqual(
    Object.values(valueFunctions).map(({ usage, meaning, example }) => [usage, meaning, example]),
  )
  for (const [, , example, expected] of listed) expect(result(example!), example).toBe(expected)
  const examples = guideRows('purpose')
  expect(examples).toHaveLength(8)
  for (const [, example, expected] of examples) expect(result(example!), example).toBe(expected)
})
