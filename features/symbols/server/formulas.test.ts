import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { functionRules } from '@headwater/formula'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import {
  type CallError,
  startTestServer,
  upload as uploadFile,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  changeFormula,
  createFormula,
  findFormula,
  maxGroupFormulas,
  previewFormula,
  removeSymbols,
  searchSymbols,
  type DataQueryInput,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session
let groupName: string
let groupCount = 0

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())
beforeEach(async () => {
  groupName = `Spreads ${++groupCount}`
  await anna.call(createGroup, { body: { name: groupName } })
  await upload(prices)
})

const prices = `Code,Date,Close,Volume(I),Note(S)
BRENT,2024-01-02,75,3,calm
BRENT,2024-01-03,78,,
BRENT,2024-01-04,80,5,
WTI,2024-01-02,70,1,
WTI,2024-01-04,72,1,
`

async function upload(content: string, { status = 'READY', group = groupName } = {}): Promise<string> {
  const receipt = await uploadFile(anna, { groupName: group, fileType: 'NCSV', content })
  expect(receipt).toMatchObject({ status })
  return status === 'READY' ? receipt.fileId : receipt.message
}

async function share(name: string, member: Session, access: 'R' | 'RW'): Promise<void> {
  await server.grantGroup({
    groupName: name,
    userName: member === anna ? 'anna@example.com' : 'ben@example.com',
    access,
  })
}

function input(name: string, code: string, column = 'Close', group = groupName) {
  return { name, groupName: group, symbols: { Code: code }, column }
}

function spread(changes: Record<string, unknown> = {}) {
  return {
    groupName,
    symbols: { Code: 'SPREAD' },
    column: 'Value',
    expression: 'brent - wti',
    inputs: [input('brent', 'BRENT'), input('wti', 'WTI')],
    ...changes,
  }
}

const make = (changes: Record<string, unknown> = {}) => anna.call(createFormula, { body: spread(changes) })

async function text(query: DataQueryInput, session = anna): Promise<string> {
  const response = await session.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text.replaceAll('T00:00:00', '')
}

const rows = async (query: DataQueryInput, session = anna) =>
  (await text(query, session)).trimEnd().split('\n').slice(1)

const key = (code: string) => ({ groupName, symbols: { Code: code } })

async function refusal(work: Promise<unknown>) {
  const error = (await work.then(
    () => expect.unreachable(),
    (problem: unknown) => problem,
  )) as CallError
  return { status: error.status, ...error.body }
}

const fields = async (work: Promise<unknown>) => {
  const { status, validationErrors } = (await refusal(work)) as {
    status: number
    validationErrors: { field: string; message: string }[]
  }
  return [status, validationErrors[0]!.field, validationErrors[0]!.message]
}

test('a formula is a symbol in searches, with values at the timestamps of all inputs', async () => {
  expect(await make()).toEqual({
    symbols: { Code: 'SPREAD' },
    groupName,
    columns: [{ name: 'Value', type: 'double' }],
    metadata: {},
    formula: true,
  })
  const matches = await anna.call(searchSymbols, { query: { query: 'SPREAD', pointCount: true } })
  expect(matches.items.filter((each) => each.groupName === groupName)).toMatchObject([
    { symbols: { Code: 'SPREAD' }, formula: true },
  ])
  expect(await text({ keys: [key('SPREAD')] })).toBe(
    'Code,Date(UTC),Value\nSPREAD,2024-01-02,5\nSPREAD,2024-01-04,8\n',
  )
})

test('returns a formula in every format, alone, with its inputs, by pattern and with the whole group', async () => {
  await make()
  expect(JSON.parse(await text({ keys: [key('SPREAD')], formatType: 'STANDARD' }))).toMatchObject({
    symbols: [{ Code: 'SPREAD' }],
    values: [
      { symbol: 0, Code: 'SPREAD', Date: '2024-01-02', Value: 5 },
      { symbol: 0, Code: 'SPREAD', Date: '2024-01-04', Value: 8 },
    ],
  })
  expect(JSON.parse(await text({ keys: [key('SPREAD')], formatType: 'UI' }))).toMatchObject({
    values: [{ columns: { Value: [5, 8] } }],
  })
  expect(JSON.parse(await text({ keys: [key('SPREAD')], formatType: 'PANDAS' }))).toEqual({
    data: { '2024-01-02': { SPREAD_Value: 5 }, '2024-01-04': { SPREAD_Value: 8 } },
  })
  expect(await text({ keys: [key('SPREAD'), key('WTI')], outputLayout: 'COLUMNS' })).toContain('SPREAD_Value')
  const both = [
    'WTI,2024-01-02,70,,1',
    'WTI,2024-01-04,72,,1',
    'SPREAD,2024-01-02,,5,',
    'SPREAD,2024-01-04,,8,',
  ]
  expect((await rows({ keys: [key('WTI'), key('SPREAD')] })).toSorted()).toEqual(both.toSorted())
  const whole = await rows({ groupName })
  expect(whole.filter((row) => row.startsWith('SPREAD'))).toEqual([
    'SPREAD,2024-01-02,,,5,',
    'SPREAD,2024-01-04,,,8,',
  ])
  expect(whole).toHaveLength(7)
  const pattern = { ...key('S*'), pattern: true }
  expect(await rows({ keys: [pattern] })).toEqual(['SPREAD,2024-01-02,5', 'SPREAD,2024-01-04,8'])
  expect(await rows({ keys: [pattern], symbolSize: 1 })).toHaveLength(2)
})

test('ranges, filters, fills, spans and offsets apply to the computed values', async () => {
  await make({ join: 'previous' })
  const all = ['SPREAD,2024-01-02,5', 'SPREAD,2024-01-03,8', 'SPREAD,2024-01-04,8']
  expect(await rows({ keys: [key('SPREAD')] })).toEqual(all)
  expect(await rows({ keys: [key('SPREAD')], range: 'LAST', lastTypeAmount: 2 })).toEqual(all.slice(1))
  expect(await rows({ keys: [key('SPREAD')], range: 'LAST', lastType: 'DAYS', lastTypeAmount: 1 })).toEqual(
    all.slice(2),
  )
  expect(await rows({ keys: [key('SPREAD')], startDate: '2024-01-03', endDate: '2024-01-03' })).toEqual([
    all[1],
  ])
  const filters = [{ name: 'Value', operator: 'LESS', value: '6' }]
  expect(await rows({ keys: [{ ...key('SPREAD'), columns: ['Value'] }], filters })).toEqual([all[0]])
  expect(
    await rows({ keys: [key('SPREAD')], resample: { unit: 'MONTHS', amount: 1, functions: ['MAX'] } }),
  ).toEqual(['SPREAD,2024-01-01,8'])
  expect(
    await rows({
      keys: [{ ...key('SPREAD'), offsetType: 'YEARS', offsetAmount: 1 }],
      size: 1,
      order: 'desc',
    }),
  ).toEqual(['SPREAD,2025-01-04,8'])
})

test('a changed formula has new values, in a new column', async () => {
  await make()
  const body = spread({ expression: 'max(BRENT, Wti) * 2', column: 'Double' })
  await anna.call(changeFormula, { body })
  expect(await text({ keys: [key('SPREAD')] })).toBe(
    'Code,Date(UTC),Double\nSPREAD,2024-01-02,150\nSPREAD,2024-01-04,160\n',
  )
  const matches = await anna.call(findFormula, { body: key('SPREAD') })
  expect(matches).toEqual({
    groupName,
    symbols: { Code: 'SPREAD' },
    column: 'Double',
    expression: 'max(BRENT, Wti) * 2',
    join: 'INNER',
    inputs: [
      { ...input('brent', 'BRENT'), state: 'READY' },
      { ...input('wti', 'WTI'), state: 'READY' },
    ],
  })
  expect(
    await refusal(anna.call(changeFormula, { body: spread({ symbols: { Code: 'WTI' } }) })),
  ).toMatchObject({
    status: 404,
    code: 'formulaNotFound',
  })
})

test('a formula is removed like any other symbol, without the check for time series', async () => {
  await make()
  const body = { groupName, symbols: [{ Code: 'SPREAD' }], checkTimeSeries: true }
  expect(await anna.call(removeSymbols, { body })).toEqual({ removed: 1 })
  expect(await refusal(anna.call(findFormula, { body: key('SPREAD') }))).toMatchObject({ status: 404 })
  expect(await rows({ keys: [key('SPREAD')] })).toEqual([])
})

test('a formula with a removed input has no values and reports it, until the input is uploaded again', async () => {
  await make()
  await anna.call(removeSymbols, {
    body: { groupName, symbols: [{ Code: 'WTI' }], checkTimeSeries: false },
  })
  expect(await rows({ keys: [key('SPREAD')] })).toEqual([])
  expect(await rows({ groupName })).toHaveLength(3)
  const { inputs } = await anna.call(findFormula, { body: key('SPREAD') })
  expect(inputs.map(({ state }) => state)).toEqual(['READY', 'MISSING'])
  await upload('Code,Date,Close\nWTI,2024-01-03,7\n')
  expect(await rows({ keys: [key('SPREAD')] })).toEqual(['SPREAD,2024-01-03,71'])
})

test('a user who cannot read an input sees neither values nor the input', async () => {
  const hidden = `Hidden ${groupCount}`
  const open = `Open ${groupCount}`
  await anna.call(createGroup, { body: { name: hidden } })
  await upload('Code,Date,Close\nSECRET,2024-01-02,42\n', { group: hidden })
  await ben.call(createGroup, { body: { name: open } })
  await share(open, anna, 'RW')
  const inputs = [input('x', 'SECRET', 'Close', hidden)]
  const symbols = { Code: 'LEAK' }
  await anna.call(createFormula, { body: { groupName: open, symbols, expression: 'x + 1', inputs } })
  const query = { keys: [{ groupName: open, symbols }] }
  expect(await rows(query)).toEqual(['LEAK,2024-01-02,43'])
  expect(await text(query, ben)).toBe('Code,Date(UTC),Value\n')
  expect(await rows({ groupName: open }, ben)).toEqual([])
  const seen = await ben.call(findFormula, { body: { groupName: open, symbols } })
  expect(seen.inputs).toEqual([{ name: 'x', state: 'FORBIDDEN' }])
  // Neither a formula that uses this formula nor a preview reveals it.
  const twice = [input('y', 'LEAK', 'Value', open)]
  const refused = [400, 'inputs[0].symbols', 'Code=LEAK is a formula that uses a group you cannot read.']
  const formula = { groupName: open, symbols: { Code: 'TWICE' }, expression: 'y', inputs: twice }
  expect(await fields(ben.call(createFormula, { body: formula }))).toEqual(refused)
  expect(await fields(ben.call(previewFormula, { body: { expression: 'y', inputs: twice } }))).toEqual(
    refused,
  )
  await anna.call(createFormula, { body: formula })
  const deeper = [input('z', 'TWICE', 'Value', open)]
  expect(await fields(ben.call(previewFormula, { body: { expression: 'z', inputs: deeper } }))).toMatchObject(
    [400, 'inputs[0].symbols', expect.stringContaining('Code=TWICE')],
  )
  expect(await fields(ben.call(previewFormula, { body: { expression: 'x', inputs } }))).toEqual([
    400,
    'inputs[0].groupName',
    expect.stringContaining(hidden),
  ])
})

test('accepts nested formulas, but rejects cycles and deep nesting', async () => {
  await make()
  let last = 'SPREAD'
  for (const code of ['F2', 'F3', 'F4', 'F5']) {
    await make({ symbols: { Code: code }, expression: 'x * 2', inputs: [input('x', last, 'Value')] })
    last = code
  }
  expect(await rows({ keys: [key('F5')] })).toEqual(['F5,2024-01-02,80', 'F5,2024-01-04,128'])
  const tooDeep = { symbols: { Code: 'F6' }, expression: 'x', inputs: [input('x', 'F5', 'Value')] }
  expect(await fields(make(tooDeep))).toEqual([
    400,
    'inputs',
    'Formulas would be nested 6 levels deep; at most 5 are allowed.',
  ])
  const circle = spread({ expression: 'x', inputs: [input('x', 'F4', 'Value')] })
  expect(await fields(anna.call(changeFormula, { body: circle }))).toEqual([
    400,
    'inputs',
    'The formula would be computed from itself: it is an input of one of its inputs.',
  ])
  const itself = spread({ expression: 'x', inputs: [input('x', 'SPREAD', 'Value')] })
  expect(await fields(anna.call(changeFormula, { body: itself }))).toEqual([
    400,
    'inputs',
    'Code=SPREAD is the formula itself.',
  ])
  // A change must not nest formulas that use this one too deeply.
  await make({ symbols: { Code: 'NEW' }, expression: 'wti', inputs: [input('wti', 'WTI')] })
  const grown = spread({ expression: 'x', inputs: [input('x', 'NEW', 'Value')] })
  expect(await fields(anna.call(changeFormula, { body: grown }))).toEqual([
    400,
    'inputs',
    'Formulas would be nested 6 levels deep, counting those that use this one; at most 5 are allowed.',
  ])
})

test('rejects one of two concurrent changes that would form a cycle', async () => {
  const ofWti = [input('x', 'WTI')]
  await make({ symbols: { Code: 'ONE' }, expression: 'x', inputs: ofWti })
  await make({ symbols: { Code: 'TWO' }, expression: 'x', inputs: ofWti })
  const makeDependOn = (code: string, of: string) =>
    anna.call(changeFormula, {
      body: spread({ symbols: { Code: code }, expression: 'x', inputs: [input('x', of, 'Value')] }),
    })
  const ended = await Promise.allSettled([makeDependOn('ONE', 'TWO'), makeDependOn('TWO', 'ONE')])
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('rejects invalid definitions with the name of the field', async () => {
  expect(await fields(make({ expression: 'brent +' }))).toEqual([
    400,
    'expression',
    expect.stringContaining('found the end (character 8)'),
  ])
  expect(await fields(make({ inputs: [input('brent', 'BRENT'), input('BRENT', 'WTI')] }))).toEqual([
    400,
    'inputs[1].name',
    'The name “BRENT” is used twice.',
  ])
  expect(await fields(make({ inputs: [input('brent', 'BRENT'), input('wti', 'NONE')] }))).toEqual([
    400,
    'inputs[1].symbols',
    `The group “${groupName}” has no symbol Code=NONE.`,
  ])
  expect(await fields(make({ inputs: [input('brent', 'BRENT'), input('wti', 'WTI', 'Open')] }))).toEqual([
    400,
    'inputs[1].column',
    'Code=WTI has no column “Open”. It has “Close”, “Volume”.',
  ])
  expect(await fields(make({ inputs: [input('brent', 'BRENT', 'Note'), input('wti', 'WTI')] }))).toEqual([
    400,
    'inputs[0].column',
    'The column “Note” has the type string; formulas accept double and integer only.',
  ])
  expect(await fields(make({ column: 'Note' }))).toEqual([
    400,
    'column',
    expect.stringContaining('Choose another name.'),
  ])
  expect(await fields(make({ inputs: [input('2x', 'WTI')] }))).toEqual([
    400,
    'inputs[0].name',
    expect.stringContaining('cannot begin with a digit'),
  ])
  expect(await fields(make({ symbols: {} }))).toEqual([400, 'symbols', 'A symbol has 1 to 100 keys.'])
  expect(await refusal(make({ symbols: { Code: 'WTI' } }))).toMatchObject({
    status: 409,
    code: 'symbolExists',
  })
  expect(await refusal(make({ groupName: 'Nowhere' }))).toMatchObject({ status: 404, code: 'groupNotFound' })
})

test('rejects changes by users without write access to the group', async () => {
  await make()
  await share(groupName, ben, 'R')
  for (const route of [createFormula, changeFormula])
    expect(await refusal(ben.call(route, { body: spread() }))).toMatchObject({
      status: 403,
      code: 'groupForbidden',
    })
  expect(await rows({ keys: [key('SPREAD')] }, ben)).toHaveLength(2)
})

test('rejects a file with rows of a formula, and keeps the formula', async () => {
  await make()
  const message = await upload('Code,Date,Value\nSPREAD,2024-01-09,1\nGAS,2024-01-09,2\n', {
    status: 'REJECTED',
  })
  expect(message).toContain('The symbol Code=SPREAD is a formula')
  expect(await rows({ keys: [key('SPREAD'), key('GAS')] })).toEqual([
    'SPREAD,2024-01-02,5',
    'SPREAD,2024-01-04,8',
  ])
})

test('a preview has the newest values of an unsaved formula', async () => {
  const body = {
    expression: 'round(lag(brent) / wti, 3)',
    inputs: [input('brent', 'BRENT'), input('wti', 'WTI')],
    join: 'outer',
    size: 1,
  }
  expect(await anna.call(previewFormula, { body })).toEqual({
    timestamps: [Date.UTC(2024, 0, 4)],
    values: [1.083],
  })
  expect(
    (await anna.call(searchSymbols, { query: { query: `groupName.keyword=${groupName}` } })).totalSize,
  ).toBe(2)
})

test('rejects an expression with too many nodes; a stored one has no values and does not affect others', async () => {
  const expression = Array(5)
    .fill(`min(${Array(95).fill('x^x').join(',')})`)
    .join('+')
  const inputs = [input('x', 'BRENT')]
  const refused = [400, 'expression', expect.stringContaining('at most 1000 numbers, inputs and functions')]
  expect(await fields(make({ expression, inputs }))).toEqual(refused)
  const preview = anna.call(previewFormula, { body: { expression, inputs, size: 1 } })
  expect(await fields(preview)).toEqual(refused)
  await make()
  await make({ symbols: { Code: 'OLD' }, expression: 'x', inputs })
  await make({ symbols: { Code: 'OVER' }, expression: 'x', inputs: [input('x', 'OLD', 'Value')] })
  await server.running.platform.database.pool.query(
    `update formulas set expression = $1 from symbols where symbols.id = symbol_id and keys->>'Code' = 'OLD'`,
    [expression],
  )
  const codes = (await rows({ groupName })).map((line) => line.split(',')[0])
  expect(new Set(codes)).toEqual(new Set(['BRENT', 'WTI', 'SPREAD']))
})

test('pages of a formula do not change, even with inputs from other groups', async () => {
  const empty = `Only formulas ${groupCount}`
  await anna.call(createGroup, { body: { name: empty } })
  const symbols = { Code: 'PAGED' }
  const body = { groupName: empty, symbols, expression: 'x', inputs: [input('x', 'BRENT')] }
  await anna.call(createFormula, { body })
  const query = { keys: [{ groupName: empty, symbols }], size: 2 }
  const page = async (nextPageToken?: string) => {
    const response = await anna.fetch('/ts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...query, ...(nextPageToken === undefined ? {} : { nextPageToken }) }),
    })
    const lines = (await response.text()).replaceAll('T00:00:00', '').trimEnd().split('\n').slice(1)
    return { status: response.status, lines, token: response.headers.get('x-kh-next-page-token') ?? '' }
  }
  const first = await page()
  expect(first.lines).toEqual(['PAGED,2024-01-02,75', 'PAGED,2024-01-03,78'])
  await upload('Code,Date,Close\nBRENT,2024-01-01,1\n')
  expect((await page(first.token)).lines).toEqual(['PAGED,2024-01-04,80'])
  await anna.call(changeFormula, { body: { ...body, expression: 'x * 2' } })
  expect((await page(first.token)).status).toBe(409)
})

test('limits the number of formulas in a group, and returns all of them', async () => {
  const made = Array.from({ length: maxGroupFormulas }, (_, number) =>
    make({ symbols: { Code: `F${number}` }, expression: `x + ${number}`, inputs: [input('x', 'WTI')] }),
  )
  await Promise.all(made)
  expect(await refusal(make())).toMatchObject({ status: 409, code: 'tooManyFormulas' })
  const query = { groupName, range: 'LAST', lastTypeAmount: 1 } as const
  expect(await rows({ ...query, sortSymbols: false })).toHaveLength(maxGroupFormulas + 2)
}, 180_000)

test('deleting a group deletes its formulas; formulas of other groups that use it have no values', async () => {
  const other = `Gone ${groupCount}`
  await anna.call(createGroup, { body: { name: other } })
  await upload('Code,Date,Close\nX,2024-01-02,1\n', { group: other })
  await make({ inputs: [input('brent', 'BRENT'), input('wti', 'X', 'Close', other)] })
  expect(await rows({ keys: [key('SPREAD')] })).toEqual(['SPREAD,2024-01-02,74'])
  await anna.call(deleteGroup, { params: { name: other } })
  expect(await rows({ keys: [key('SPREAD')] })).toEqual([])
  const { inputs } = await anna.call(findFormula, { body: key('SPREAD') })
  expect(inputs[1]).toEqual({ name: 'wti', state: 'MISSING', symbols: { Code: 'X' }, column: 'Close' })
})

test('the example of every function computes values', async () => {
  const rows = Array.from(
    { length: 25 },
    (_, day) => `GAS,2024-03-${String(day + 1).padStart(2, '0')},${90 + day}`,
  )
  await upload(['Code,Date,Close', ...rows, ''].join('\n'))
  const inputs = [input('x', 'GAS')]
  const previews = Object.values(functionRules).map(async ({ example }) => {
    const { values } = await anna.call(previewFormula, { body: { expression: example, inputs } })
    expect(values.length, example).toBeGreaterThan(0)
  })
  await Promise.all(previews)
})

test('a computed point has no file, even next to points of its inputs', async () => {
  await make()
  const keys = [key('SPREAD'), { ...key('WTI'), columns: ['Close'] }]
  const [spread, wti] = await rows({ keys, includeFileId: true, endDate: '2024-01-02' })
  expect(spread).toMatch(/^SPREAD,2024-01-02,.*,$/)
  expect(wti).toMatch(/^WTI,2024-01-02,.*,[\da-f-]{36}$/)
})
