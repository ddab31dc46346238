import { expect, test } from 'vitest'
import { SvgPen } from './svg-pen.ts'

test('escapes text and colours, and drops characters that XML forbids', () => {
  const pen = new SvgPen(10, 10)
  pen.font = '600 12px "Inter", sans-serif'
  pen.fillStyle = '"><script>'
  pen.fillText('<b>&\u0000"', 1, 2)
  const svg = pen.toString()
  expect(svg).not.toContain('<script')
  expect(svg).toContain('>&#60;b&#62;&#38;&#34;</text>')
  expect(svg).toContain('font-weight="600"')
})

test('restore closes the groups opened since save, and resets the style', () => {
  const pen = new SvgPen(10, 10)
  pen.lineWidth = 3
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, 5, 5)
  pen.clip()
  pen.transform(0, 1, 1, 0, 2, 3)
  pen.lineWidth = 7
  pen.restore()
  expect(pen.lineWidth).toBe(3)
  expect(pen.toString()).toMatch(
    /<g clip-path="url\(#clip1\)"><g transform="matrix\(0 1 1 0 2 3\)"><\/g><\/g><\/svg>/,
  )
})
