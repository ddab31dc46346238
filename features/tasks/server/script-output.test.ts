import { expect, test } from 'vitest'
import { ScriptOutput } from './script-output.ts'

function textOf(lines: readonly string[]): string {
  const output = new ScriptOutput()
  for (const line of lines) output.add(line)
  return output.toString()
}

test('everything a script wrote is kept as long as it is little', () => {
  expect(textOf([])).toBe('')
  expect(textOf(['one', '', 'three'])).toBe('one\n\nthree')
})

test('of much the newest lines are kept, and how many came before is told', () => {
  const lines = Array.from({ length: 1203 }, (_, index) => `line ${index + 1}`)
  const kept = textOf(lines).split('\n')
  expect(kept[0]).toBe('… 1,003 lines before')
  expect(kept.slice(1)).toEqual(lines.slice(-200))
  expect(textOf(['x'.repeat(5000), 'y'.repeat(5000)])).toBe(`… 1 line before\n${'y'.repeat(5000)}`)
  expect(textOf(['x', 'z'.repeat(100_000)])).toBe(`… 1 line before\n${'z'.repeat(8000)}`)
})
