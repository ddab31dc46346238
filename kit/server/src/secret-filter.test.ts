import { expect, test } from 'vitest'
import { SecretFilter } from './secret-filter.ts'

const secret = 'pa/ss+wörd "ü~1\\x'
const redaction = { secret, placeholder: '[secret]' }

/** Returns the filtered text of a stream that is split into pieces of a size. */
function streamed(filter: SecretFilter, text: string, size: number): string {
  let visible = ''
  for (let start = 0; start < text.length; start += size)
    visible += filter.take(text.slice(start, start + size))
  return visible + filter.end()
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['unencoded', secret],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON from Python', 'pa/ss+w\\u00f6rd \\"\\u00fc~1\\\\x'],
  ['in JSON of PHP', 'pa\\/ss+wörd \\"ü~1\\\\x'],
  ['in JSON inside JSON', JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
  ['in a URL', encodeURIComponent(secret)],
  ['in a URL with lower-case digits', 'pa%2fss%2bw%c3%b6rd%20%22%c3%bc~1%5cx'],
  ['in the path of a URL', 'pa/ss%2Bw%C3%B6rd%20%22%C3%BC~1%5Cx'],
  ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
])('a secret %s is replaced wherever the stream is split', (_, encoded) => {
  const text = `before ${encoded} and "${encoded}${encoded}" after`
  const expected = 'before [secret] and "[secret][secret]" after'
  expect(new SecretFilter([redaction]).hide(text)).toBe(expected)
  for (const size of [1, 2, 3, 7, 50, 1000])
    expect(streamed(new SecretFilter([redaction]), text, size)).toBe(expected)
})

test.each(['', 'u', 'us', 'user', 'user:'])('a secret in Base64 after “%s” is replaced', (before) => {
  for (const after of ['', 'x', ' more'])
    for (const encoded of [
      base64(before + secret + after),
      Buffer.from(before + secret + after).toString('base64url'),
      encodeURIComponent(base64(before + secret + after)),
    ])
      for (const size of [1, 5, 1000]) {
        const visible = streamed(new SecretFilter([redaction]), `Basic ${encoded}\n`, size)
        expect(visible).toMatch(/^Basic [\w%+/-]*\[secret\][\w%+/=-]*\n$/)
        const left = visible.slice('Basic '.length, -1).split('[secret]')
        expect(left[0]!.length).toBeLessThanOrEqual(base64(before).length)
        expect(left[1]!.length).toBeLessThanOrEqual(base64(after).length + 8)
      }
})

test('a secret that starts with another secret is replaced completely', () => {
  const filter = () =>
    new SecretFilter([
      { secret: 'abcd', placeholder: '[short]' },
      { secret: 'abcdef', placeholder: '[long]' },
      { secret: 'xabcdefgh', placeholder: '[longest]' },
      { secret: 'abab', placeholder: '[ab]' },
    ])
  const text = 'abcde abcdef xabcdefg xabcdefgh ababab abcabcd xabcd'
  const expected = '[short]e [long] x[long]g [longest] [ab] abc[short] x[short]'
  for (const size of [1, 2, 3, 4, 5, 6, 100]) expect(streamed(filter(), text, size)).toBe(expected)
})

test('no part of overlapping secrets remains, wherever the stream is split', () => {
  const filter = () =>
    new SecretFilter([
      { secret: 'abcd', placeholder: '[first]' },
      { secret: 'cdefgh', placeholder: '[second]' },
      { secret: 'ghij', placeholder: '[third]' },
      { secret: 'pqrs', placeholder: '[outer]' },
      { secret: 'xxxx', placeholder: '[x]' },
    ])
  const text = `abcdefghij-cdefghij abcdcdefgh pqrspqrs ${'x'.repeat(1001)}y abcdef`
  const expected = '[first]-[second] [first][second] [outer][outer] [x]y [first]ef'
  expect(filter().hide(text)).toBe(expected)
  for (const size of [1, 2, 3, 4, 5, 7, 11, 100, 2000]) expect(streamed(filter(), text, size)).toBe(expected)
})

test('a secret can be added later; short and empty secrets have no effect', () => {
  const filter = new SecretFilter()
  expect(filter.take('open sesame, ')).toBe('open sesame, ')
  filter.add({ secret: 'sesame', placeholder: '[word]' })
  filter.add({ secret: 'pen', placeholder: '[pen]' })
  expect(filter.take('open ses')).toBe('open ')
  expect(filter.take('ame') + filter.end()).toBe('[word]')
})

test('a long text is filtered without delay', () => {
  const filter = new SecretFilter([redaction, { secret: 'x'.repeat(500), placeholder: '[x]' }])
  const line = `${'x'.repeat(400)} ${'price '.repeat(100)}\n`
  let length = 0
  for (let index = 0; index < 10_000; index++) length += filter.take(line).length
  expect(length + filter.end().length).toBe(line.length * 10_000)
})
