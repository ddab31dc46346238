import { expect, test } from 'vitest'
import { curlOf, questionOf } from './symbols-query.ts'

test('a question as a command line holds its body as one word of the shell', () => {
  const question = questionOf([{ groupName: "O'Neil", symbols: { Code: 'A' } }], 'UTC')
  expect(question.keys).toEqual([{ groupName: "O'Neil", symbols: { Code: 'A' } }])
  const text = curlOf(question, 'http://localhost:8080')
  expect(text).toContain(String.raw`"groupName":"O'\''Neil"`)
  expect(text).toMatch(/^curl -X POST 'http:\/\/localhost:8080\/ts\/stream' \\\n/)
})
