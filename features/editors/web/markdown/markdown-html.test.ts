import { expect, test } from 'vitest'
import { markdownHtml } from './markdown-html.ts'

test('converts markdown to HTML; HTML in it is text except for a few tags', () => {
  expect(markdownHtml('**a** <b>b</b>')).toBe('<p><strong>a</strong> <b>b</b></p>\n')
  expect(markdownHtml('<script>x</script>')).not.toContain('<script>')
})

test('does not render very deep nesting and large texts', () => {
  const drawn = (text: string) => markdownHtml(text) !== undefined
  expect(drawn('> '.repeat(20))).toBe(true)
  expect(drawn('> '.repeat(200))).toBe(false)
  expect(drawn('> '.repeat(5_000))).toBe(false)
  expect(drawn(Array.from({ length: 100 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'))).toBe(false)
  expect(drawn('<b>'.repeat(100))).toBe(false)
  expect(drawn('a\n\n'.repeat(9_000))).toBe(true)
  expect(drawn('a\n\n'.repeat(11_000))).toBe(false)
})
