import { expect, test } from 'vitest'
import { exceptionClasses } from './exception-classes.ts'

test.each([
  ['ValueError', 'invalid literal', []],
  ['TimeoutError', 'timed out', ['timeout']],
  ['requests.exceptions.ReadTimeout', 'HTTPConnectionPool(host=…): Read timed out.', ['timeout']],
  ['requests.exceptions.ConnectTimeout', '', ['timeout']],
  ['urllib.error.URLError', '<urlopen error timed out>', ['timeout']],
  ['urllib.error.URLError', '<urlopen error [Errno 111] Connection refused>', ['connection']],
  ['urllib.error.URLError', '<urlopen error Tunnel connection failed: 403 Forbidden>', []],
  ['ConnectionResetError', '[Errno 104] Connection reset by peer', ['connection']],
  ['requests.exceptions.ConnectionError', 'Connection aborted.', ['connection']],
  ['urllib.error.HTTPError', 'HTTP Error 503: Service Unavailable', ['unavailable']],
  ['urllib.error.HTTPError', 'HTTP Error 404: Not Found', []],
  ['requests.exceptions.HTTPError', '429 Client Error: Too Many Requests for url: …', ['unavailable']],
  ['requests.exceptions.HTTPError', '404 Client Error: Not Found for url: …/503', []],
  ['orders.Timeout', 'an exception of the script with this name', ['timeout']],
])('%s “%s” has the class script and also %j', (name, message, classes) => {
  expect(exceptionClasses({ name, message })).toEqual(['script', ...classes])
})
