import { expect, test } from 'vitest'
import { curlOf, queryFor } from './symbols-query.ts'

test('a curl command has the query as one shell argument', () => {
  const query = queryFor([{ groupName: "O'Neil", symbols: { Code: 'A' } }], 'UTC')
  expect(query.keys).toEqual([{ groupName: "O'Neil", symbols: { Code: 'A' } }])
  const text = curlOf(query, 'http://localhost:8080')
  expect(text).toContain(String.raw`"groupName":"O'\''Neil"`)
  expect(text).toMatch(/^curl -X POST 'http:\/\/localhost:8080\/ts\/stream' \\\n/)
})
