import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createPipeline, executePipeline } from '@headwater/pipelines/contract'
import { referenceOf } from '@headwater/runs/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { searchFiles } from '@headwater/files/contract'
import {
  startMailServer,
  startTestServer,
  upload,
  uploadSeries,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import type { ReportTile, TileReport } from '../tile-report/report-tile.ts'
import { reportPdf } from './report-pdf.ts'

let mails: MailServer
let server: TestServer
let anna: Session

beforeAll(async () => {
  mails = await startMailServer()
  server = await startTestServer({ env: { HEADWATER_SMTP_URL: mails.url } })
  anna = await server.createUser()
  for (const name of ['Reports', 'Prices']) await anna.call(createGroup, { body: { name } })
  await uploadSeries(anna, {
    groupName: 'Prices',
    fileName: 'prices.csv',
    content: 'Code,Date,Close\nA,2026-01-01,1000.5\nA,2026-01-02,1200.25\nA,2026-01-03,900\n',
  })
})
afterAll(async () => {
  await server.stop()
  await mails.stop()
})

/** Returns the text of each page of a PDF, with the parser of the product's viewer. */
async function pagesOf(bytes: Uint8Array): Promise<{ pages: string[]; links: string[] }> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  const links: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'))
    const annotations = (await page.getAnnotations()) as { url?: string }[]
    links.push(...annotations.flatMap(({ url }) => url ?? []))
  }
  expect(await document.getJSActions()).toBeNull()
  return { pages, links }
}

async function written(tiles: ReportTile[], more: { title?: string; link?: string } = {}) {
  const report: TileReport = { title: 'T', insightName: 'I', groupName: 'G', tiles, leftOut: 0 }
  const madeAt = new Date('2026-01-05T07:00:00Z')
  const pdf = reportPdf({ title: 'T', report, madeAt, ...more }, new AbortController().signal)
  const chunks: Uint8Array[] = []
  for await (const chunk of pdf.stream) chunks.push(chunk)
  return { chunks, replaced: pdf.replaced(), ...(await pagesOf(Buffer.concat(chunks))) }
}

test('a table with 10,000 rows has its header and a number on each page, and is written page by page', async () => {
  const header = ['Name', 'Value', 'Text']
  const rows = Array.from({ length: 10_000 }, (_, index) => [`row ${index}`, `${index}.50`, 'some text'])
  const { pages, chunks } = await written([
    { title: 'Long', kind: 'Table', note: '', table: { header, rows, isNumber: [false, true, false] } },
  ])
  expect(pages.length).toBeGreaterThan(100)
  const names = pages.flatMap((page) => page.match(/^row \d+$/gm) ?? [])
  expect(names).toEqual(rows.map(([name]) => name))
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Page ${index + 1}`)
    if (page.includes('row ')) for (const name of header) expect(page.split('\n')).toContain(name)
  }
  // Bytes are emitted page by page, so the whole document is never in memory.
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const half = chunks.slice(0, chunks.length / 2).reduce((sum, { length }) => sum + length, 0)
  expect(chunks.length).toBeGreaterThan(100)
  expect(half).toBeGreaterThan(size / 4)
})

test('long texts wrap, a row that is higher than a page continues on the next one, and hostile text remains text', async () => {
  const prose = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
  const long = 'x'.repeat(5000)
  const hostile = 'a) Tj (b \\) \u0000\u202Eevil\u202C <script>alert(1)</script> /JavaScript'
  const { pages, links, replaced } = await written(
    [
      {
        title: hostile,
        kind: 'Text',
        note: '',
        text: `${prose}\n\n[click](javascript:alert(1)) [site](https://example.com/x)`,
      },
      {
        title: 'Cells',
        kind: 'Table',
        note: '',
        table: {
          header: ['A', 'B'],
          rows: [
            [prose, long],
            ['last', '漢字 ΑΒΓ Жук é'],
          ],
          isNumber: [false, false],
        },
      },
    ],
    { title: 'Título Ж', link: 'javascript:alert(1)' },
  )
  const all = pages.join('\n')
  for (const index of [0, 1500, 2999])
    expect(all.match(new RegExp(`\\bword${index}\\b`, 'g'))).toHaveLength(2)
  expect(all.replaceAll('\n', '').match(/x+/g)!.join('').length).toBeGreaterThanOrEqual(5000)
  expect(all).toContain('a) Tj (b \\) evil <script>alert(1)</script> /JavaScript')
  expect(all).toContain('Título Ж')
  expect(all).toContain('□□ ΑΒΓ Жук é')
  expect(replaced).toBe(2)
  expect(links).toEqual([])
  expect(pages.length).toBeGreaterThan(3)
})

let count = 0
async function saveInsight(tiles: object[], more: Partial<InsightContent> = {}): Promise<string> {
  const insightName = `insight ${++count}`
  const content = { ...emptyContent(), tiles, ...more } as unknown as InsightContent
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
  return (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).id
}

async function run(params: Record<string, string>, mail?: Record<string, string>) {
  const file = referenceOf(`5f3c0000-0000-4000-8000-${String(++count).padStart(12, '0')}`)
  const inputs = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }))
  const pdf = {
    id: 'pdf',
    taskName: 'pdf-report',
    taskReadableName: 'pdf',
    prevTasks: [],
    taskOverrides: {
      params: [...inputs(params), { name: 'File', type: 'OUTPUT', value: file }],
      onError: 'continue',
    },
  }
  const send = {
    id: 'send',
    taskName: 'email-sender',
    taskReadableName: 'send',
    prevTasks: [{ id: 'pdf' }],
    taskOverrides: { params: inputs({ ...mail, attachment: file }) },
  }
  const { pipeline } = await anna.call(createPipeline, {
    body: {
      name: `flow ${++count}`,
      groupName: 'Reports',
      tasks: (mail === undefined ? [pdf] : [pdf, send]) as never,
    },
  })
  const { jobId } = await anna.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await anna.call(searchStatuses, { query: { jobId } })).items
  return job!.componentStatuses.map(({ status, message }) => ({ status, message }))
}

async function readPdf(fileName: string) {
  const { items } = await anna.call(searchFiles, { query: { query: `fileName=${fileName}` } })
  const bytes = await (await anna.fetch(`/file/${items[0]!.fid}/download`)).arrayBuffer()
  return pagesOf(new Uint8Array(bytes))
}

const tiles = [
  { id: 'n', type: 'Text', title: 'Note', templateContent: '# Heading\n\nPrices **rise**.' },
  { id: 't', type: 'Table', title: 'Prices of A', range: 'ALL' },
]
const datapreps = {
  t: { symbols: [{ groupName: 'Prices', symbols: { Code: 'A' }, valueColumnNames: ['Close'] }] },
} as never

test('an insight becomes a PDF file in a group, with the chosen range, and is sent as an attachment, without a text if there is none', async () => {
  const id = await saveInsight(tiles, { datapreps })
  const params = {
    Insight: JSON.stringify({ id }),
    Title: 'Prices of January',
    Range: '2026-01-02..2026-01-03',
    Group: 'Reports',
    'File name': 'january.pdf',
  }
  const steps = await run(params, { subject: 'The report', recipients: 'ben@example.com' })
  expect(steps).toEqual([
    { status: 'INFO', message: expect.stringMatching(/^Stored january\.pdf \(.*\) in Reports\.$/) as string },
    { status: 'INFO', message: 'Sent to ben@example.com.' },
  ])
  const { pages } = await readPdf('january.pdf')
  expect(pages).toHaveLength(1)
  for (const text of ['Prices of January', 'Heading', 'Prices rise.', 'Prices of A', '1,200.25', '900.00'])
    expect(pages[0]).toContain(text)
  expect(pages[0]).not.toContain('1,000.5')
  expect(mails.mails).toHaveLength(1)
  expect(mails.mails[0]!.text).toContain('filename=january.pdf')
  expect(mails.mails[0]!.text).toContain(Buffer.from('%PDF-1').toString('base64').slice(0, 8))
})

test('a tile that a PDF cannot contain is named in the PDF and in the warning', async () => {
  const code = { id: 'c', type: 'CODE', title: 'My code' }
  const id = await saveInsight([...tiles, code], { datapreps })
  const [step] = await run({ Insight: JSON.stringify({ id }), Group: 'Reports', 'File name': 'code.pdf' })
  expect(step!.status).toBe('WARN')
  expect(step!.message).toMatch(
    /^Stored code\.pdf .*\n“My code” is not in the PDF: Code runs only in the browser\.$/,
  )
  const { pages } = await readPdf('code.pdf')
  expect(pages[0]).toContain('My code')
  expect(pages[0]).toContain('Code runs only in the browser.')
})

test('a chart is drawn with the chosen range; a chart without data is replaced with a sentence', async () => {
  const series = [{ groupName: 'Prices', symbolList: [{ Code: 'A' }], column: 'Close', label: 'Close of A' }]
  const id = await saveInsight([
    { id: 'c', type: 'Chart', title: 'Chart of A', range: 'ALL', series, showLegend: true },
    { id: 'e', type: 'Chart', title: 'Empty', range: 'ALL', series: [{ ...series[0], column: 'Other' }] },
  ])
  const params = { Insight: JSON.stringify({ id }), Group: 'Reports', 'File name': 'chart.pdf' }
  const [step] = await run({ ...params, Range: '2026-01-02..2026-01-03' })
  expect(step!.status).toBe('INFO')
  const { pages } = await readPdf('chart.pdf')
  const texts = pages[0]!.split('\n')
  expect(texts).toEqual(expect.arrayContaining(['Chart of A', 'Close of A', '2 Jan 2026', 'Empty']))
  expect(texts).toContain('No data has been received.')
  // The values are not listed.
  expect(texts).not.toContain('1,200.25')
  expect(texts.filter((text) => text.includes('1 Jan'))).toEqual([])
})

test('an insight that the user cannot read ends the task like a missing one; invalid values are not saved', async () => {
  const other = await server.createUser()
  await other.call(createGroup, { body: { name: 'Private' } })
  await other.call(createInsight, {
    body: { insightName: 'hidden', groupName: 'Private', content: emptyContent() },
  })
  const { id } = await other.call(getInsight, {
    params: { groupName: 'Private', insightName: 'hidden' },
  })
  const messages: string[] = []
  for (const each of [id, 'missing']) {
    const [step] = await run({ Insight: JSON.stringify({ id: each }), Group: 'Reports' })
    expect(step!.status).toBe('ERROR')
    messages.push(step!.message.replaceAll(each, 'ID'))
  }
  expect(messages[0]).toBe(messages[1])
  const valid = { Insight: JSON.stringify({ id }), Group: 'Reports' }
  await expect(run({ ...valid, Range: 'soon' })).rejects.toThrow('is not a range')
  await expect(run({ ...valid, Parameters: '[1]' })).rejects.toThrow('The parameters must be an object')
  await expect(run({ ...valid, 'File name': 'a.html' })).rejects.toThrow('must end in .pdf')
})

test('attachments that are too large are not sent', async () => {
  const content = 'x'.repeat(15_000_001)
  const { fileId } = await upload(anna, {
    groupName: 'Reports',
    fileName: 'big.txt',
    fileType: 'SOURCE',
    content,
  })
  const before = mails.mails.length
  const { pipeline } = await anna.call(createPipeline, {
    body: {
      name: `flow ${++count}`,
      groupName: 'Reports',
      tasks: [
        {
          id: 'send',
          taskName: 'email-sender',
          taskReadableName: 'send',
          prevTasks: [],
          taskOverrides: {
            params: Object.entries({
              subject: 's',
              recipients: 'ben@example.com',
              text: 't',
              attachment2: JSON.stringify({ id: fileId }),
            }).map(([name, value]) => ({ name, value })),
          },
        },
      ] as never,
    },
  })
  const { jobId } = await anna.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await anna.call(searchStatuses, { query: { jobId } })).items
  expect(job!.componentStatuses[0]).toMatchObject({
    status: 'ERROR',
    message: expect.stringMatching(/^The attachments exceed 15(\.0+)? MB in total\./) as string,
  })
  expect(mails.mails).toHaveLength(before)
})
