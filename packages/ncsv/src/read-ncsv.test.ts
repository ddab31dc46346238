import { expect, test } from 'vitest'
import { NcsvError } from './ncsv-error.ts'
import { readNcsv } from './read-ncsv.ts'
import type { NcsvBatch } from './ncsv-batch.ts'

async function readAll(source: Iterable<Uint8Array>, batchRows?: number) {
  const { header, batches } = await readNcsv(source, { batchRows })
  const all: NcsvBatch[] = []
  for await (const batch of batches) all.push(batch)
  return { header, batches: all }
}

/** Returns the problems of a file and the rows before them. */
async function faultsOf(source: Iterable<Uint8Array>, options: { errorLimit?: number } = {}) {
  let rowCount = 0
  try {
    const { batches } = await readNcsv(source, options)
    for await (const batch of batches) rowCount += batch.rowCount
    return { rowCount, problems: [], hasMore: false }
  } catch (error) {
    if (!(error instanceof NcsvError)) throw error
    return { rowCount, problems: error.problems, hasMore: error.hasMore }
  }
}

function rowsOf(batches: NcsvBatch[]) {
  const symbols = batches.flatMap((batch) => batch.newSymbols)
  return batches.flatMap((batch) =>
    Array.from({ length: batch.rowCount }, (_, row) => [
      ...symbols[batch.symbols[row]!]!,
      batch.timestamps[row],
      ...batch.values.map((values) => values[row]),
    ]),
  )
}

const tricky =
  '\ufeff# c\r\nA,B,Date,X,"T,(S)"\r\n"a""1",b,2024-01-01,1.5,"x\r\ny"\r\nö,,2024-01-02T01:02:03.004Z,,\r\n#z\r\n\r\nö,,2024-01-03,-2e-3,"q"'

test('reads the same rows when a file is split into chunks at any byte', async () => {
  const bytes = Buffer.from(tricky)
  const whole = rowsOf((await readAll([bytes])).batches)
  expect(whole).toEqual([
    ['a"1', 'b', Date.UTC(2024, 0, 1), 1.5, 'x\r\ny'],
    ['ö', '', Date.UTC(2024, 0, 2, 1, 2, 3, 4), Number.NaN, null],
    ['ö', '', Date.UTC(2024, 0, 3), -0.002, 'q'],
  ])
  for (let size = 1; size < bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    expect(rowsOf((await readAll(chunks)).batches)).toEqual(whole)
  }
})

test('batches share one numbering of symbols and respect the row limit', async () => {
  const lines = Array.from(
    { length: 2500 },
    (_, i) => `S${i % 700},2024-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z,${i}`,
  )
  const { batches } = await readAll([Buffer.from(['Code,Date,V', ...lines].join('\n'))], 1000)
  expect(batches.map((batch) => batch.rowCount)).toEqual([1000, 1000, 500])
  expect(batches.map((batch) => batch.firstNewSymbol)).toEqual([0, 700, 700])
  expect(rowsOf(batches).map((row) => row[0])).toEqual(lines.map((line) => line.split(',')[0]))
  expect(rowsOf(batches).map((row) => row[2])).toEqual(lines.map((_, i) => i))
})

test.each([
  [[0xff, 0xfe, 0x41, 0x00], 'text in UTF-16 (little endian)'],
  [[0xfe, 0xff, 0x00, 0x41], 'text in UTF-16 (big endian)'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
  [[0x1f, 0x8b, 0x08, 0x00], 'a gzip archive'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
])('rejects a file that starts with %j and names its format', async (bytes, kind) => {
  await expect(readAll([Buffer.from([...bytes, 0x0a])])).rejects.toThrow(`The file is ${kind}; NCSV is`)
})

test('rejects invalid UTF-8 in a column name', async () => {
  const header = Buffer.from([0x43, 0xe9, 0x2c, ...Buffer.from('Date,V\n')])
  await expect(readAll([header, Buffer.from('A,2024-01-01,1\n')])).rejects.toThrow(NcsvError)
})

test('never returns an empty last batch', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `S,2024-01-01,${i}`)
  const { batches } = await readAll([Buffer.from(['Code,Date,V', ...lines, ''].join('\n'))], 10)
  expect(batches.map((batch) => batch.rowCount)).toEqual([10, 10])
  expect((await readAll([Buffer.from('Code,Date,V\n')])).batches).toEqual([])
})

test('distinguishes symbols with equal hashes', async () => {
  // Known pairs with the same 32-bit FNV-1a hash.
  const names = ['costarring', 'liquid', 'declinate', 'macallums']
  const lines = [...names, ...names.toReversed()].map((name, i) => `${name},2024-01-01,${i}`)
  const { batches } = await readAll([Buffer.from(['Code,Date,V', ...lines].join('\n'))])
  expect(rowsOf(batches).map(([name]) => name)).toEqual([...names, ...names.toReversed()])
  expect(batches.flatMap((batch) => batch.newSymbols)).toHaveLength(4)
})

test('distinguishes symbols whose values are equal when joined by commas', async () => {
  const rows = ['"a,b",c,2024-01-01,1', 'a,"b,c",2024-01-01,2', '"a"",""b",c,2024-01-01,3']
  const { batches } = await readAll([Buffer.from(['A,B,Date,V', ...rows].join('\n'))])
  expect(rowsOf(batches)).toEqual([
    ['a,b', 'c', Date.UTC(2024, 0, 1), 1],
    ['a', 'b,c', Date.UTC(2024, 0, 1), 2],
    ['a","b', 'c', Date.UTC(2024, 0, 1), 3],
  ])
})

test('validates values of every type in rows of a known symbol', async () => {
  const header = 'Code,Date,V,N(I),D(D),T(S)'
  const first = 'A,2024-01-01T00:00:00Z,1,1,2024-01-01,x'
  const faults = {
    V: ',2024-01-02T00:00:00Z,1x,1,2024-01-01,x',
    'N(I)': ',2024-01-02T00:00:00Z,1,1.5,2024-01-01,x',
    'D(D)': ',2024-01-02T00:00:00Z,1,1,2024-13-01,x',
    Date: ',2024-01-02T00:00:0xZ,1,1,2024-01-01,x',
  }
  for (const [columnName, row] of Object.entries(faults)) {
    const { problems } = await faultsOf([Buffer.from([header, first, first, `A${row}`, first].join('\n'))])
    expect(problems.map((problem) => [problem.row, problem.columnName])).toEqual([[4, columnName]])
  }
})

test('validates every part of timestamps in the standard format', async () => {
  const read = async (timestamp: string) => {
    const row = (date: string) => `A,${date},1`
    const text = ['Code,Date,V', row('2024-01-01T00:00:00Z'), row(timestamp), ''].join('\n')
    const { problems, rowCount } = await faultsOf([Buffer.from(text)])
    return problems.length > 0 ? problems.map((problem) => problem.row) : rowCount
  }
  for (const good of [
    '1677-01-01T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '2299-12-31T23:59:59Z',
    '2024-02-29T23:59:59Z',
  ])
    expect(await read(good), good).toBe(2)
  for (const bad of [
    '1676-12-31T23:59:59Z',
    '2300-01-01T00:00:00Z',
    '2024-02-30T00:00:00Z',
    '2024x02-01T00:00:00Z',
    '2024-02x01T00:00:00Z',
    '2024-02-01T00x00:00Z',
    '2024-02-01T00:00x00Z',
    '2024-02-01T24:00:00Z',
    '2024-02-01T00:60:00Z',
    '2024-02-01T00:00:60Z',
    '2024-02-01T0/:00:00Z',
    '2024-02-01T0::00:00Z',
    '2300-01-01T00:00:00Z',
  ])
    expect(await read(bad), bad).toEqual([3])
})

test('does not treat digits before or after a timestamp as part of it', async () => {
  const lines = Array.from({ length: 3 }, (_, i) => `12345678901,2024-03-${25 + i}T01:02:03Z,20200101`)
  const { batches } = await readAll([Buffer.from(['Code,Date,V', ...lines, ''].join('\n'))])
  expect(rowsOf(batches)).toEqual(
    lines.map((_, i) => ['12345678901', Date.UTC(2024, 2, 25 + i, 1, 2, 3), 20_200_101]),
  )
})

test('numbers 100,000 distinct symbols consistently', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `sym-${i},2024-01-01,${i}`)
  const { batches } = await readAll([Buffer.from(['Code,Date,V', ...lines, ...lines].join('\n'))])
  const symbols = batches.flatMap((batch) => batch.newSymbols)
  expect(symbols.length).toBe(100_000)
  for (const row of rowsOf(batches)) expect(row[0]).toBe(`sym-${String(row[2])}`)
})

test('reads 300 columns of alternating types', async () => {
  const header = [
    'Code',
    'Date',
    ...Array.from({ length: 300 }, (_, i) => `C${i}${['', '(S)', '(I)', '(D)'][i % 4]}`),
  ]
  const row = [
    'A',
    '2024-01-01',
    ...Array.from({ length: 300 }, (_, i) => ['1.5', 'x', '7', '2024-01-02'][i % 4]),
  ]
  const { batches } = await readAll([Buffer.from(`${header.join(',')}\n${row.join(',')}\n`)])
  expect(rowsOf(batches)[0]!.slice(2)).toEqual(
    Array.from({ length: 300 }, (_, i) => [1.5, 'x', 7, Date.UTC(2024, 0, 2)][i % 4]),
  )
})

/** Returns the lines of a file whose n-th row has an invalid value in the n-th value column. */
function linesWithFaults(count: number): string[] {
  const columns = Array.from({ length: count }, (_, i) => `V${i}`)
  const rows = columns.map((_, row) => [
    'A',
    '2024-01-01',
    ...columns.map((_, i) => (i === row ? `bad${i}` : '1')),
  ])
  return [['Code', 'Date', ...columns], ...rows].map((cells) => cells.join(','))
}

test('reports problems up to the limit, with line numbers as in an editor', async () => {
  const text = ['# comment', '', ...linesWithFaults(30)].join('\n')
  const { problems, hasMore, rowCount } = await faultsOf([Buffer.from(text)])
  expect(problems.length).toBe(20)
  expect(hasMore).toBe(true)
  expect(rowCount).toBe(0)
  expect(problems[0]).toMatchObject({ row: 4, column: 3, columnName: 'V0' })
  expect(problems[0]!.message).toContain('"bad0" is not a number')
  expect((await faultsOf([Buffer.from(text)], { errorLimit: 100 })).problems.length).toBe(30)
})

test.each([
  [2, 2, ''],
  [10, 10, ''],
  [13, 10, 'and 3 more'],
  [30, 10, 'and at least 10 more'],
])(
  'the message for %i problems lists %i of them, each on a line with row and column',
  async (faults, named, rest) => {
    const reading = readAll([Buffer.from(linesWithFaults(faults).join('\n'))])
    const messages = await reading.then(
      () => [],
      (error: NcsvError) => error.message.split('\n'),
    )
    expect(messages.slice(0, named).map((line) => line.slice(0, line.indexOf('is not')))).toEqual(
      Array.from({ length: named }, (_, i) => `Row ${i + 2}, column ${i + 3} (V${i}): "bad${i}" `),
    )
    expect(messages.slice(named)).toEqual(rest === '' ? [] : [rest])
  },
)

test('reports problems of one kind once, with the number of rows and the first row', async () => {
  const lines = Array.from({ length: 1518 }, (_, i) => `A,${1100 + (i % 500)}-05-26,1`)
  const others = ['A,2024-01-01,x,1', 'A,,2', 'A,2024-01-02', 'A,2024-01-03,x', 'A,2024-01-03,1e999']
  const text = ['# comment', 'Code,Date,V', 'A,2024-01-01,1', ...lines, ...others].join('\n')
  await expect(readAll([Buffer.from(text)])).rejects.toThrow(
    [
      'Row 4, column 2 (Date): "1100-05-26" is not a date. Use ISO 8601, such as 2024-05-26, 2024-05-26T10:00:00 or 2024-05-26T10:00:00Z, in the years 1677 to 2299. 1,517 more rows have this problem.',
      'Row 1522, column 4: The row has 4 cells; the header has 3. 1 more row has this problem.',
      'Row 1523, column 2 (Date): The date is empty; every row needs one.',
      'Row 1525, column 3 (V): "x" is not a number. Use a number such as 1250.75 (with a decimal point and no thousands separators), or leave the cell empty. Add (S) to the name of a text column.',
      'Row 1526, column 3 (V): "1e999" is too large; the largest number is 1.7976931348623157e308.',
    ].join('\n'),
  )
})

test('stops counting the rows of a file with too many problems', async () => {
  let chunks = 0
  function* endless() {
    yield Buffer.from('Code,Date,V\n')
    for (; chunks < 10_000; chunks++) yield Buffer.from('A,yesterday,1\n'.repeat(1000))
  }
  await expect(readAll(endless())).rejects.toThrow(
    /^Row 2, column 2 \(Date\): "yesterday" is not a date\. .* At least 99,999 more rows have this problem\.$/,
  )
  expect(chunks).toBeLessThan(200)
})

test('a batch contains the line of each row, after comments, blank lines and line breaks in cells', async () => {
  const rows = Array.from(
    { length: 50 },
    (_, day) => `A,2024-02-01T00:00:${String(day).padStart(2, '0')}Z,x,1`,
  )
  const text = ['# 1', 'Code,Date,T(S),V', '', ...rows, '#', 'A,2024-01-01,"1', '2",1', ...rows].join('\r\n')
  const { batches } = await readAll([Buffer.from(text)], 30)
  const lines = batches.flatMap((batch) => [...batch.lines])
  expect(lines).toEqual([
    ...Array.from({ length: 50 }, (_, index) => 4 + index),
    55,
    ...Array.from({ length: 50 }, (_, index) => 57 + index),
  ])
})

test('shortens a long column name in a message and replaces its line breaks with spaces', async () => {
  const name = `one\ntwo ${'x'.repeat(10_000)}`
  const text = `Code,Date,"${name}"\nA,2024-01-01,bad\n`
  await expect(readAll([Buffer.from(text)])).rejects.toThrow(`(one two ${'x'.repeat(32)}…): "bad"`)
})

test.each([';', '\t', ' ; '])('reports quoted names separated by %j', async (separator) => {
  const text = `${['"Code"', '"Date"', '"Close"'].join(separator)}\n`
  await expect(readAll([Buffer.from(text)])).rejects.toThrow('Row 1: The file seems to use ')
})

test('counts line breaks inside cells in the line numbers of later rows', async () => {
  const text = 'Code,Date,T(S),V\nA,2024-01-01,"1\n2\r\n3",1\nA,2024-01-01,x,bad\n'
  const { problems } = await faultsOf([Buffer.from(text)])
  expect(problems.map((problem) => problem.row)).toEqual([5])
})

test('rejects an unclosed quote without reading the file into memory', async () => {
  let chunksRead = 0
  function* endless() {
    yield Buffer.from('Code,Date,T(S)\nA,2024-01-01,"')
    for (; chunksRead < 1000; chunksRead++) yield Buffer.alloc(65_536, 0x78)
  }
  const { problems } = await faultsOf(endless())
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ row: 2 })
  expect(problems[0]!.message).toContain('a quote is opened and not closed')
  expect(chunksRead).toBeLessThan(100)
})

test.each([
  [1.9, 0],
  [2.2, 1],
])('a row of %d MB has %d problems', async (megabytes, faults) => {
  function* pieces() {
    yield Buffer.from('Code,Date,T(S)\nA,2024-01-01,"')
    for (let at = 0; at < megabytes * 16; at++) yield Buffer.alloc(65_536, 0x78)
    yield Buffer.from('"\n')
  }
  const { problems } = await faultsOf(pieces())
  expect(problems).toHaveLength(faults)
})

test('uses constant memory for a long file', async () => {
  const block = Buffer.from(
    Array.from({ length: 1000 }, (_, i) => `S${i % 10},2024-01-01,${i}.25,text\n`).join(''),
  )
  function* long() {
    yield Buffer.from('Code,Date,V,T(S)\n')
    for (let i = 0; i < 2000; i++) yield block
  }
  const { batches } = await readNcsv(long())
  let rows = 0
  let peak = 0
  for await (const batch of batches) {
    rows += batch.rowCount
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  }
  expect(rows).toBe(2_000_000)
  expect(peak).toBeLessThan(600 * 1024 * 1024)
})

const cellsOfType = {
  double: [
    '',
    '1',
    '-0',
    '1.5',
    '-12.75',
    '.5',
    '5.',
    '+3',
    '1e3',
    '0.1234567890123456789',
    ' 7 ',
    '123456789012345',
  ],
  integer: ['', '0', '-17', '5.0', '900719925474099', '9007199254740991', '1e3', '+1'],
  date: [
    '',
    '2024-02-29',
    '1677-01-02',
    '1901-01-01',
    '2024-01-01 10:00',
    '2299-12-31T23:59:59.999Z',
    '2024-01-01T00:00:00+02:00',
  ],
  string: ['', ' ', 'a', 'ö', 'a b', '#'],
  timestamp: [
    '2024-01-01',
    '1901-01-01T00:00:00Z',
    '2024-12-31T23:59:59Z',
    '2024-06-01T12:00',
    '2024-03-31 02:30',
  ],
  symbol: ['A', 'B', 'ö', ' A', 'a#', 'AB'],
} as const

test('reads machine-written rows in the same way as rows with quoted cells, whatever is between them', async () => {
  let state = 7
  const below = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count
  const pick = (cells: readonly string[]) => cells[below(cells.length)]!
  const kinds = ['symbol', 'symbol', 'timestamp', 'double', 'integer', 'date', 'string', 'double'] as const
  const header = 'A,B,Date(Europe/Berlin),X,N(I),D(D),T(S),Y'
  const rows = Array.from({ length: 3000 }, () => kinds.map((kind) => pick(cellsOfType[kind])))
  const ends = ['\n', '\n', '\n', '\r\n', '\r', '\n\n', '\n# a comment, of two cells\n']
  const lines = (write: (cell: string) => string) =>
    rows.map((cells) => cells.map(write).join(',') + pick(ends)).join('')
  const plainly = Buffer.from(`${header}\n${lines((cell) => cell)}`)
  const quoted = Buffer.from(`${header}\n${lines((cell) => `"${cell}"`)}`)
  const chunks = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
  const expected = rowsOf((await readAll([quoted])).batches)
  expect(expected).toHaveLength(rows.length)
  for (const size of [1, 7, 300, 1_000_000])
    expect(rowsOf((await readAll(chunks(plainly, size), 100)).batches)).toEqual(expected)
})

test.each([
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:00:60Z,1'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-13-01T00:00:00Z,1'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2023-02-29T00:00:00Z,1'],
  ['A,2024-01-01T00:00:00Z,1', 'A,1676-12-31T23:59:59Z,1'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:0 :00Z,1'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:00:00Z,-'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:00:00Z,1.2.3'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:00:00Z,1,'],
  ['A,2024-01-01T00:00:00Z,1', 'A,2024-01-01T00:00:00Z'],
  ['A,2024-01-01T00:00:00Z,1', ',2024-01-01T00:00:00Z,1'],
])('after rows like %s, rejects the row %s with its line', async (good, bad) => {
  const { problems } = await faultsOf([Buffer.from(`A,Date,X\n${`${good}\n`.repeat(50)}${bad}\n${good}\n`)])
  expect(problems.map(({ row }) => row)).toEqual([52])
})

test('can reuse the memory of the previous batch', async () => {
  const lines = Array.from({ length: 1000 }, (_, row) => `A,2024-01-01,${row},t${row}\n`).join('')
  const { batches } = await readNcsv([Buffer.from(`A,Date,X,T(S)\n${lines}`)], {
    batchRows: 300,
    reusesMemory: true,
  })
  const memory = new Set<unknown>()
  const rows: unknown[] = []
  for await (const { values, rowCount } of batches) {
    memory.add((values[0] as Float64Array).buffer)
    for (let row = 0; row < rowCount; row++) rows.push([values[0]![row], values[1]![row]])
  }
  expect(memory.size).toBe(1)
  expect(rows).toEqual(Array.from({ length: 1000 }, (_, row) => [row, `t${row}`]))
})
