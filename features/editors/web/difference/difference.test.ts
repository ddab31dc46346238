import { expect, test } from 'vitest'
import { compareSequences } from './compare-sequences.ts'
import { tableDifference } from './table-difference.ts'
import { textDifference } from './text-difference.ts'

/** A generator of pseudorandom numbers with a fixed seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test('the changes turn the earlier sequence into the later one and contain no equal items', () => {
  const random = randomOf(7)
  const items = (length: number) => Array.from({ length }, () => 'abcd'[Math.floor(random() * 4)]!)
  for (let round = 0; round < 500; round++) {
    const [before, after] = [items(round % 13), items((round * 7) % 11)]
    const rebuilt: string[] = []
    let end = 0
    for (const change of compareSequences(before, after)) {
      rebuilt.push(...before.slice(end, change.beforeStart))
      expect(rebuilt.length).toBe(change.afterStart)
      rebuilt.push(...after.slice(change.afterStart, change.afterEnd))
      end = change.beforeEnd
    }
    expect([...rebuilt, ...before.slice(end)]).toEqual(after)
  }
  expect(compareSequences('abcabba'.split(''), 'cbabac'.split(''))).toHaveLength(4)
  expect(compareSequences(['a', 'b'], ['a', 'b'])).toEqual([])
})

test('sequences with too many differences are one change, and take less than a second', () => {
  const numbers = (from: number) => Array.from({ length: 200_000 }, (_, at) => String(at + from))
  const [before, after] = [numbers(0), numbers(1_000_000)]
  expect(compareSequences(['same', ...before], ['same', ...after])).toEqual([
    { beforeStart: 1, beforeEnd: 200_001, afterStart: 1, afterEnd: 200_001 },
  ])
})

test('texts are compared by line, with three lines around a change and the number of lines that are omitted', () => {
  const line = (at: number) => `line ${at}`
  const before = Array.from({ length: 20 }, (_, at) => line(at + 1))
  const after = before.with(9, 'new 10').toSpliced(15, 0, 'inserted')
  const { lines, added, removed } = textDifference(`${before.join('\r\n')}\r\n`, after.join('\n'))
  expect([added, removed]).toEqual([2, 1])
  expect(
    lines.map((each) =>
      each.kind === 'skipped'
        ? `… ${each.count}`
        : `${each.kind} ${each.before ?? '-'} ${each.after ?? '-'} ${each.text}`,
    ),
  ).toEqual([
    '… 6',
    ...[7, 8, 9].map((at) => `same ${at} ${at} ${line(at)}`),
    'removed 10 - line 10',
    'added - 10 new 10',
    ...[11, 12, 13, 14, 15].map((at) => `same ${at} ${at} ${line(at)}`),
    'added - 16 inserted',
    ...[16, 17, 18].map((at) => `same ${at} ${at + 1} ${line(at)}`),
    '… 2',
  ])
  expect(textDifference('a\r\nb', 'a\nb\n').lines).toEqual([])
  expect(textDifference('', 'a').lines).toEqual([{ kind: 'added', text: 'a', before: undefined, after: 1 }])
})

test('CSV is compared by row and cell; columns correspond by name', () => {
  const before = 'Code;Close;Note\nA;1;x\nB;2;"a;b"\nC;3;\n'
  const after = 'Code,Close,Unit\nA,1,USD\nNEW,9,USD\nB,2.5,USD\n'
  const difference = tableDifference(before, after)!
  expect(difference.columns).toEqual([
    { name: 'Code', kind: 'same' },
    { name: 'Close', kind: 'same' },
    { name: 'Unit', kind: 'added' },
    { name: 'Note', kind: 'removed' },
  ])
  expect(
    difference.rows.map(({ kind, number, cells }) => [
      kind,
      number,
      ...cells.map((cell) => `${cell.before ?? '-'} > ${cell.after ?? '-'}`),
    ]),
  ).toEqual([
    ['changed', 2, 'A > A', '1 > 1', '- > USD', 'x > -'],
    ['changed', 3, 'B > NEW', '2 > 9', '- > USD', 'a;b > -'],
    ['changed', 4, 'C > B', '3 > 2.5', '- > USD', ' > -'],
  ])
  expect(tableDifference('Code,Close\nA,1\nB,2\n', 'Code,Close\nA,1\nNEW,9\nB,2\n')!.rows).toEqual([
    {
      kind: 'added',
      number: 3,
      cells: [
        { before: undefined, after: 'NEW' },
        { before: undefined, after: '9' },
      ],
    },
  ])
  expect(tableDifference('Code,Close\nA,1\nB,2\n', 'Close,Code\n1.5,A\n2,B\n')!.rows).toEqual([
    {
      kind: 'changed',
      number: 2,
      cells: [
        { before: '1', after: '1.5' },
        { before: 'A', after: 'A' },
      ],
    },
  ])
  expect(tableDifference('a,b\n1,2\n', 'a,b\n')!.rows.map(({ kind, number }) => [kind, number])).toEqual([
    ['removed', 2],
  ])
  for (const text of ['', 'a,a\n1,2\n', 'a\n1,2\n', 'a,b\n"1,2\n'])
    expect(tableDifference('a,b\n1,2\n', text)).toBeUndefined()
})
