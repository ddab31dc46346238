import { expect, test } from 'vitest'
import {
  canonicalHost,
  formatHostPattern,
  hostPattern,
  matchesHost,
  parseHostPattern,
} from './host-pattern.ts'

test.each([
  ['API.Example.com', 'api.example.com'],
  ['api.example.com.', 'api.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
])('%s is written as %s', (host, expected) => {
  expect(canonicalHost(host)).toBe(expected)
})

test.each([
  '',
  ' ',
  'a b',
  'user@host',
  'host/path',
  'host?x',
  'host#x',
  'a:80',
  '[::1',
  '256.256.256.256',
  '.',
])('“%s” is not a host', (host) => {
  expect(canonicalHost(host)).toBeUndefined()
})

test.each([
  ['api.example.com', 'api.example.com'],
  [' Api.Example.com:8443 ', 'api.example.com:8443'],
  ['*.example.com', '*.example.com'],
  ['127.0.0.1:9000', '127.0.0.1:9000'],
  ['[2001:DB8::1]:443', '[2001:db8::1]:443'],
])('the pattern %s is written as %s', (text, expected) => {
  expect(formatHostPattern(parseHostPattern(text)!)).toBe(expected)
})

test.each([
  '',
  '*',
  '*.com',
  '*.10.0.0.1',
  'a.*.com',
  'https://example.com',
  'example.com/x',
  'a:0',
  'a:65536',
  'a b',
])('“%s” is not a pattern', (text) => {
  expect(parseHostPattern(text)).toBeUndefined()
})

test('an invalid pattern is rejected with examples', () => {
  const { error } = hostPattern.safeParse('http://x')
  expect(error?.issues[0]?.message).toBe(
    '“http://x” is not a host. Use a name or an address such as api.example.com, *.example.com or 203.0.113.7:8443.',
  )
})

test('a pattern matches its host on its own port, or on the default ports', () => {
  const matches = (pattern: string, host: string, port: number, ports?: number[]) =>
    matchesHost(parseHostPattern(pattern)!, { host, port }, ports)
  expect(matches('example.com', 'example.com', 443, [80, 443])).toBe(true)
  expect(matches('example.com', 'example.com', 22, [80, 443])).toBe(false)
  expect(matches('example.com', 'example.com', 22)).toBe(true)
  expect(matches('example.com:22', 'example.com', 22, [80, 443])).toBe(true)
  expect(matches('example.com:22', 'example.com', 443, [80, 443])).toBe(false)
  expect(matches('example.com', 'evil-example.com', 443)).toBe(false)
  expect(matches('example.com', 'api.example.com', 443)).toBe(false)
  expect(matches('*.example.com', 'api.example.com', 443)).toBe(true)
  expect(matches('*.example.com', 'example.com', 443)).toBe(false)
  expect(matches('*.example.com', 'notexample.com', 443)).toBe(false)
})
