import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { type Session, type TestServer, startTestServer, uploadSeries } from '@headwater/server/testing'
import { streamDataBatch, type DataBatchFrame } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  const rows = Array.from({ length: 20_000 }, (_, at) => `${at % 2 ? 'B' : 'A'},${dayOf(at)},${at}`)
  await uploadSeries(anna, { groupName: 'Prices', content: `Code,Date,Close\n${rows.join('\n')}\n` })
})
afterAll(async () => server.stop())

function dayOf(at: number): string {
  return new Date(Date.UTC(1990, 0, 1) + Math.floor(at / 2) * 86_400_000).toISOString().slice(0, 10)
}

function question(Code: string, more: object = {}) {
  return {
    query: { size: -1, order: 'desc' },
    body: { keys: [{ groupName: 'Prices', symbols: { Code } }], range: 'ALL', formatType: 'NCSV', ...more },
  }
}

/** The answers of a batch: text, or the status of the error, and whether each came to its end. */
async function askAll(questions: readonly object[]) {
  const response = await fetch(`${server.url}${streamDataBatch.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
    body: JSON.stringify({ questions }),
  })
  let rest = Buffer.from(await response.arrayBuffer())
  const answers = questions.map(() => ({
    text: '',
    contentType: '',
    done: false,
    status: 0,
    message: '',
    pageToken: '',
    totalRows: undefined as number | undefined,
  }))
  while (rest.length > 0) {
    const end = rest.indexOf('\n')
    const frame = JSON.parse(rest.subarray(0, end).toString()) as DataBatchFrame
    rest = rest.subarray(end + 1)
    const answer = answers[frame.question]!
    answer.contentType = frame.contentType ?? answer.contentType
    answer.text += rest.subarray(0, frame.length ?? 0).toString()
    rest = rest.subarray(frame.length ?? 0)
    answer.done ||= frame.done === true
    answer.totalRows ??= frame.totalRows
    answer.pageToken = frame.nextPageToken ?? answer.pageToken
    if (frame.error) Object.assign(answer, { status: frame.error.status, message: frame.error.message })
  }
  return { status: response.status, answers }
}

test('a batch answers each question as it would be answered alone', async () => {
  const questions = [question('A'), question('B', { range: 'LAST', lastTypeAmount: 3 }), question('A,B')]
  const { status, answers } = await askAll(questions)
  expect(status).toBe(200)
  for (const [index, asked] of questions.entries()) {
    const alone = await fetch(`${server.url}/ts/stream?size=-1&order=desc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
      body: JSON.stringify(asked.body),
    })
    expect(answers[index]).toMatchObject({
      text: await alone.text(),
      done: true,
      contentType: alone.headers.get('content-type'),
    })
  }
  expect(answers[0]!.text.split('\n').length).toBeGreaterThan(10_000)
})

test('a question of a batch that has pages says what leads to the next one', async () => {
  const page = (nextPageToken?: string) => ({
    ...question('A'),
    query: { size: 6_000, order: 'desc', nextPageToken },
  })
  const [first] = (await askAll([page()])).answers
  expect(first!.pageToken).not.toBe('')
  const [second, other] = (await askAll([page(first!.pageToken), question('B')])).answers
  expect(second!.text.split('\n').length).toBe(4_002)
  expect(other!.pageToken).toBe('')
})

test('a question of a batch that is counted says how many rows there are', async () => {
  const [counted, drawn, plain] = (
    await askAll([
      { ...question('A', { countRows: true }), query: { size: 6_000 } },
      { ...question('B', { drawPoints: 400 }), query: { absoluteSize: 1_000 } },
      question('A'),
    ])
  ).answers
  expect([counted!.totalRows, drawn!.totalRows, plain!.totalRows]).toEqual([10_000, 10_000, undefined])
  expect(drawn!.text.split('\n').length).toBeLessThanOrEqual(402)
})

test('a question that makes no sense, and one about a group out of reach, harm no other', async () => {
  const { answers } = await askAll([
    question('A', { range: 'SOMETIMES' }),
    question('B', { range: 'LAST', lastTypeAmount: 1 }),
    { body: { keys: [{ groupName: 'Nowhere', symbols: {} }] } },
    { query: 'odd', body: 7 },
  ])
  expect(answers.map(({ status, done }) => [status, done])).toEqual([
    [400, false],
    [0, true],
    [404, false],
    [400, false],
  ])
  expect(answers[0]!.message).not.toBe('')
})

test.each([
  ['no question', { questions: [] }],
  ['too many', { questions: Array.from({ length: 201 }, () => ({ body: {} })) }],
  ['no list', { questions: 'all' }],
])('a batch of %s is refused as a whole', async (_name, body) => {
  const response = await fetch(`${server.url}/ts/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
})

test('a caller who goes away in the middle of a batch leaves a server that answers', async () => {
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController()
    const response = await fetch(`${server.url}/ts/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
      body: JSON.stringify({ questions: Array.from({ length: 50 }, () => question('A')) }),
      signal: controller.signal,
    })
    await response.body!.getReader().read()
    controller.abort()
  }
  const { answers } = await askAll([question('B', { range: 'LAST', lastTypeAmount: 2 })])
  expect(answers[0]).toMatchObject({ done: true })
})
