import { expect, test } from 'vitest'
import { maxTemplateName } from '../contract/index.ts'
import { freeTemplateName } from './template-name.ts'

const free = (insightName: string, taken: readonly string[]) =>
  freeTemplateName(insightName, async (names) => names.filter((name) => taken.includes(name)))

test('a template is named after its insight, with the next free number if the name is taken', async () => {
  expect(await free('Oil', [])).toBe('Oil template')
  expect(await free('Oil', ['Oil template'])).toBe('Oil template 2')
  expect(await free('Oil', ['Oil template', 'Oil template 2', 'Oil template 4'])).toBe('Oil template 3')
  const many = Array.from({ length: 130 }, (_, at) => `Oil template ${at + 1}`)
  expect(await free('Oil', ['Oil template', ...many])).toBe('Oil template 131')
})

test('a long name is shortened between characters to make room for its suffix', async () => {
  for (const letter of ['x', '🛢']) {
    const name = await free(letter.repeat(200), [])
    expect(name.length).toBeGreaterThan(maxTemplateName - 2)
    expect(name.length).toBeLessThanOrEqual(maxTemplateName)
    expect(name.endsWith(`${letter} template`)).toBe(true)
  }
})
