import { expect, test } from 'vitest'
import { freeTemplateName, maxTemplateName } from './template-name.ts'

test('a template is called after its insight, with the next number while that name is taken', () => {
  expect(freeTemplateName('Oil', [])).toBe('Oil template')
  expect(freeTemplateName('Oil', ['oil Template'])).toBe('Oil template 2')
  expect(freeTemplateName('Oil', ['Oil template', 'Oil template 2', 'Oil template 4'])).toBe('Oil template 3')
})

test('a long name leaves room for what is put behind it', () => {
  const name = freeTemplateName('x'.repeat(200), [])
  expect(name).toHaveLength(maxTemplateName)
  expect(name.endsWith('x template')).toBe(true)
})
