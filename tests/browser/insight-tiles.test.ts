import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let elsewhere: Server
/** Requested addresses of another site. */
const reached: string[] = []

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').end('x')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports', 'Pictures']) await anna.call(createGroup, { body: { name } })
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content: pricesFile() })
  const { png, pdf } = await drawn()
  await picture('map.png', png)
  await picture('report.pdf', pdf)
  await picture('evil.svg', evilSvg)
  await picture('fake.png', '<html><script>parent.stolen = 1</script></html>')
  await picture('broken.pdf', '%PDF-1.7\nnothing of the kind')
})
afterAll(() => elsewhere.close())

const evilSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><script>parent.stolen = 1; top.stolen = 1</script>' +
  '<rect width="40" height="20" fill="red" onload="parent.stolen = 1"/></svg>'

/** 400 days of two symbols; the note of one begins like a formula. */
function pricesFile(): string {
  const lines = ['Brent,Europe,=1+1', 'WTI,America,@sum'].flatMap((symbol, at) =>
    Array.from({ length: 400 }, (_, day) => {
      const [code, region, note] = symbol.split(',')
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
      return `${code},${region},${date},${100 * (at + 1) + day},${note}`
    }),
  )
  return ['Code,Region,Date,Close,Note(S)', ...lines].join('\n')
}

async function drawn(): Promise<{ png: Buffer; pdf: Buffer }> {
  const page = await stage.browser.newPage({ viewport: { width: 300, height: 150 } })
  await page.setContent('<body style="margin:0;background:teal">')
  const png = await page.screenshot()
  const pages = [1, 2, 3, 4].map((number) => `<h1 style="break-after:page">Part ${number} of the report</h1>`)
  await page.setContent(pages.join(''))
  const pdf = await page.pdf({ format: 'A4' })
  await page.context().close()
  return { png, pdf }
}

async function picture(fileName: string, content: string | Uint8Array): Promise<void> {
  await upload(anna, { groupName: 'Pictures', fileName, content: content as never })
}

const file = (fileName: string, groupName = 'Pictures') => ({ type: 'FILE', value: { groupName, fileName } })
const regionOf: Record<string, string> = { Brent: 'Europe', WTI: 'America' }
const series = (Code: string, column = 'Close') => ({
  label: '',
  groupName: 'Prices',
  symbols: { Code, Region: regionOf[Code]! },
  column,
})
const requested = (...codes: string[]) => ({
  symbols: codes.map((Code) => ({ groupName: 'Prices', symbols: { Code, Region: regionOf[Code]! } })),
})

async function makeInsight(insightName: string, tiles: object[], more: object = {}): Promise<void> {
  const content = { ...emptyContent(), tiles, ...more } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

async function open(
  path: string,
  options: BrowserContextOptions = {},
  session: Session = anna,
): Promise<Page> {
  return stage.open(path, session, options)
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const contentOf = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content

async function chooseFrom(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Saves a file with the menu of a tile and returns it. */
async function saved(page: Page, title: string, entry: string): Promise<{ name: string; bytes: Buffer }> {
  await tile(page, title)
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  return downloaded(page, () => page.getByRole('menuitem', { name: entry }).click())
}

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download')
  await act()
  const download = await waiting
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** The files in a ZIP, as text. */
function unzipped(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    const name = zip.toString('utf8', at + 46, at + 46 + lengths[0]!)
    const header = zip.readUInt32LE(at + 42)
    const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const bytes = zip.subarray(begin, begin + size)
    files.set(name, (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'))
    at += 46 + lengths[0]! + lengths[1]! + lengths[2]!
  }
  return files
}

/** Returns the cells of the sheets of a workbook by name: texts, numbers, and marked formulas. */
function workbook(bytes: Buffer): Map<string, (string | number)[][]> {
  const files = unzipped(bytes)
  const text = (xml: string) =>
    xml
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(([, si]) =>
    text(si!),
  )
  const names = [...files.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*?name="([^"]*)"/g)].map(([, name]) =>
    text(name!),
  )
  return new Map(
    names.map((name, index) => {
      const sheet = files.get(`xl/worksheets/sheet${index + 1}.xml`)!
      const rows = [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
        [...row!.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes, inner = '']) => {
          if (inner.includes('<f>')) return `formula ${text(inner)}`
          if (attributes!.includes('t="s"')) return shared[Number(text(inner))]!
          return attributes!.includes('t="') ? text(inner) : Number(text(inner))
        }),
      )
      return [name, rows]
    }),
  )
}

/** The text of each page of a PDF. */
async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const { items } = await (await document.getPage(index + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    }),
  )
}

/** Closes the dialog that a new tile opens for its series. */
async function closePicker(page: Page): Promise<void> {
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.waitFor()
  await page.keyboard.press('Escape')
  await picker.waitFor({ state: 'detached' })
}

test('IN-137 IN-138 IN-139 IN-144 each of eleven kinds is added after the selected tile and becomes selected; the page scrolls to it, undo and redo work', async () => {
  const page = await open('/Insight/Creator')
  const kinds = page.getByRole('list', { name: 'Kinds of tiles' })
  await kinds.waitFor()
  expect(await kinds.locator('> li').count()).toBe(11)
  const titles = () => page.locator('[data-tile-id] h2').allTextContents()
  const selected = () => page.locator('[data-tile-id] [data-selected] h2').allTextContents()
  const added = [
    ['Advanced chart', 'Line chart'],
    ...['Table', 'Stats', 'Text', 'Code', 'Image', 'PDF', 'Search', 'Auto pipeline', 'Status', 'Diagram'].map(
      (name) => [name, name],
    ),
  ] as [entry: string, title: string][]
  for (const [at, [entry, title]] of added.entries()) {
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
    if (['Advanced chart', 'Table', 'Stats'].includes(entry)) await closePicker(page)
    await expect.poll(titles).toEqual(added.slice(0, at + 1).map(([, each]) => each))
    expect(await selected()).toEqual([title])
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${encodeURIComponent(title)}`)
  }
  const placed = () => tile(page, 'Diagram').evaluate((element) => element.getBoundingClientRect())
  await expect.poll(async () => (await placed()).top).toBeLessThan(700)
  await tile(page, 'Diagram').getByText('Not available yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await tile(page, 'Diagram').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+y')
  await tile(page, 'Diagram').waitFor()
  await page.keyboard.press('Control+z')
  await tile(page, 'Diagram').waitFor({ state: 'detached' })
  await tile(page, 'Stats').click()
  await tile(page, 'Stats').getByRole('button', { name: 'Duplicate tile' }).click()
  await tile(page, 'Stats(1)').waitFor()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  const [chart, table, stats, ...others] = added.slice(0, -1).map(([, title]) => title)
  await expect.poll(titles).toEqual([chart, table, stats, 'Stats(1)', 'Text 2', ...others])
  expect(await selected()).toEqual(['Text 2'])
  expect(await accessibilityProblems(page)).toEqual([])
})

test('the title field reports removed characters; a heading allows any character and replaces the title', async () => {
  await makeInsight('Headed', [
    { id: 'a', type: 'Text', title: 'Notes', source: { type: 'EDITOR' }, templateContent: 'Read me' },
  ])
  const page = await open('/Insight/Reports/Headed?edit=true')
  await tile(page, 'Notes').getByText('Read me').click()
  await page.getByRole('tab', { name: 'Style' }).click()
  const title = page.getByLabel('Title', { exact: true })
  await title.fill('Oil & gas, €/t')
  await expect.poll(() => title.inputValue()).toBe('Oil  gas t')
  await page
    .getByText('Removed & , € /. Titles can contain alphanumeric characters, spaces and ( ) - _.')
    .waitFor()
  await title.fill('Oil and gas')
  await expect.poll(() => page.getByText('Removed').count()).toBe(0)
  await page.getByLabel('Displayed title').fill('Oil & gas, €/t')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Oil & gas, €/t', exact: true }).waitFor()
  const { content } = await anna.call(getInsight, {
    params: { groupName: 'Reports', insightName: 'Headed' },
  })
  expect(content.tiles[0]).toMatchObject({ title: 'Oil and gas', heading: 'Oil & gas, €/t' })
})

test('IN-232 IN-233 a stats tile shows value, change, level, sparkline and age; its editor changes them', async () => {
  const stats = {
    id: 's',
    type: 'STATS',
    title: 'Figures',
    series: [series('Brent'), series('WTI')],
    unit: '$',
    unitOnFront: true,
    comparison: 'WEEKS',
    comparisonAmount: 1,
    rising: 'good',
    staleHours: 1,
    conditionalFormatting: [
      { applyTo: 'Brent Europe', condition: '>', conditionValueA: '400', level: 'bad', label: 'Too high' },
    ],
  }
  await anna.call(createGroup, { body: { name: 'Stocks' } })
  const content = 'Ticker,Date,Close,Volume,Unit(MD-S)\nNKE,2026-01-01,80,1500,€\nNKE,2026-01-02,81,1700,€'
  await upload(anna, { groupName: 'Stocks', fileType: 'NCSV', content })
  const ofNike = (column: string) => ({ label: '', groupName: 'Stocks', symbols: { Ticker: 'NKE' }, column })
  const units = { id: 'u', type: 'STATS', title: 'Nike', series: [ofNike('Close'), ofNike('Volume')] }
  await makeInsight('Stats', [stats, units], { datapreps: { s: requested('Brent', 'WTI') } })
  const page = await open('/Insight/Reports/Stats')
  const nike = (label: string) => tile(page, 'Nike').getByRole('listitem').filter({ hasText: label })
  await nike('NKE · Close').getByText('€81', { exact: true }).waitFor()
  await nike('NKE · Volume').getByText('+€200 (+13.3').waitFor()
  const brent = tile(page, 'Figures').getByRole('listitem').filter({ hasText: 'Brent' })
  await brent.getByText('$499').waitFor()
  await brent.getByText('Too high').waitFor()
  await brent.getByText('+$7 (+1.4').waitFor()
  await brent.getByText('Old: 2026-02-04').waitFor()
  expect(await brent.locator('path[d^="M0.0 "]').count()).toBe(1)
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByRole('button', { name: 'Edit' }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await panel.waitFor()
  await tile(page, 'Figures').click()
  await panel.getByRole('button', { name: 'Move WTI America up' }).click()
  await panel.getByRole('tab', { name: 'Values' }).click()
  await chooseFrom(page, panel.getByLabel('Value', { exact: true }), 'Average')
  const first = tile(page, 'Figures').getByRole('listitem').first()
  await first.getByText('$399.50').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await first.getByText('$599').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  const [stored] = (await contentOf('Stats')).tiles
  expect(stored).not.toHaveProperty('statistic')
  expect(stored).toMatchObject({
    series: [{ symbols: { Code: 'WTI' } }, { symbols: { Code: 'Brent' } }],
  })
})

test('a tile reports the values of a stats tile and the characters of a text file that it omits, including in its exports', async () => {
  const numbers = Array.from({ length: 30 }, (_, at) => at)
  const content = `${numbers.map((at) => `C${at}`).join(',')}\n${numbers.join(',')}\n`
  await upload(anna, { groupName: 'Reports', fileName: 'wide.csv', content })
  await upload(anna, { groupName: 'Reports', fileName: 'long.md', content: 'term '.repeat(100_001) })
  const source = (fileName: string) => ({ type: 'FILE', value: { groupName: 'Reports', fileName } })
  await makeInsight('Omitted', [
    { id: 's', type: 'STATS', title: 'Figures', series: [], source: source('wide.csv') },
    { id: 't', type: 'Text', title: 'Long', source: source('long.md') },
  ])
  const page = await open('/Insight/Reports/Omitted')
  await tile(page, 'Figures').getByText('24 of 30 values shown').waitFor()
  await tile(page, 'Long').getByText('The first 500,000 characters are displayed.').waitFor()
  await saved(page, 'Figures', 'Save as CSV')
  await page.getByText('24 of 30 values shown.', { exact: true }).waitFor()
})

test('IN-347 IN-354 an image tile shows images, runs no scripts of an SVG, and reports other files and missing ones', async () => {
  const image = (id: string, fileName: string) => ({
    id,
    type: 'IMAGE',
    title: id,
    tileWidth: 'half',
    source: file(fileName),
  })
  await makeInsight('Pictures', [
    image('Map', 'map.png'),
    image('Vector', 'evil.svg'),
    image('Fake', 'fake.png'),
    image('Gone', 'gone.png'),
  ])
  const page = await open('/Insight/Reports/Pictures')
  const width = (title: string) =>
    tile(page, title)
      .getByRole('img', { name: title })
      .evaluate((element) => (element as HTMLImageElement).naturalWidth)
  await expect.poll(() => width('Map')).toBe(300)
  await expect.poll(() => width('Vector')).toBeGreaterThan(0)
  await tile(page, 'Fake').getByText('This is not an image').waitFor()
  await tile(page, 'Gone').getByText('File gone.png not found in group Pictures').waitFor()
  expect(await tile(page, 'Gone').locator('[data-tile-error]').count()).toBe(1)
  expect(await page.evaluate('window.stolen')).toBeUndefined()
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByRole('button', { name: 'Edit' }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await panel.waitFor()
  await tile(page, 'Gone').click()
  await panel.getByLabel('File', { exact: true }).fill('map.png')
  await expect.poll(() => width('Gone')).toBe(300)
  await panel.getByRole('tab', { name: 'Style' }).click()
  await panel.getByLabel('Alternative text').fill('Where the terminals lie')
  await tile(page, 'Gone').getByRole('img', { name: 'Where the terminals lie' }).waitFor()
  await chooseFrom(page, panel.getByLabel('Fit'), 'Original size')
  await expect
    .poll(() =>
      tile(page, 'Gone')
        .getByRole('img')
        .evaluate((element) => element.clientWidth),
    )
    .toBe(300)

  await panel.getByRole('tab', { name: 'Data' }).click()
  // an upload checks the name itself, and a free name is not an error
  await panel.locator('input[type=file]').setInputFiles({
    name: 'free.png',
    mimeType: 'image/png',
    buffer: (await drawn()).png,
  })
  await page.getByText('File has been uploaded.').waitFor()
  expect(await page.getByText('File free.png not found').count()).toBe(0)
})

test('a number can be typed digit by digit: only numbers within the limits are stored', async () => {
  await makeInsight('Typed numbers', [{ id: 'paper', title: 'Paper', type: 'PDF', scale: 200 }])
  const page = await open('/Insight/Reports/Typed%20numbers?edit=true')
  await tile(page, 'Paper').getByRole('heading', { name: 'Paper' }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await panel.getByRole('tab', { name: 'Style' }).click()
  const scale = panel.getByLabel('Scale (%)')
  await scale.fill('1')
  await panel.getByText('The minimum is 25.').waitFor()
  await scale.press('End')
  await scale.pressSequentially('50')
  expect(await scale.inputValue()).toBe('150')
  expect(await scale.getAttribute('aria-valuenow')).toBe('150')
  await scale.fill('1000')
  await expect.poll(() => scale.inputValue()).toBe('400')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect((await contentOf('Typed numbers')).tiles[0]).toMatchObject({ scale: 400 })
})

test('IN-223 IN-347 a PDF tile draws pages with their text at 100 %, scales them, and reports a damaged file', async () => {
  const pdf = (id: string, fileName: string) => ({
    id,
    type: 'PDF',
    title: id,
    tileHeight: 'full',
    tileWidth: 'half',
    source: file(fileName),
  })
  await makeInsight('Papers', [
    pdf('Report', 'report.pdf'),
    pdf('Broken', 'broken.pdf'),
    { ...pdf('Gone', 'gone.pdf'), tileHeight: 'quarter' },
  ])
  const page = await open('/Insight/Reports/Papers')
  const first = tile(page, 'Report').getByRole('group', { name: 'Page 1 of 4' })
  await first.locator('canvas[data-drawn]').waitFor()
  await first.getByText('Part 1 of the report').waitFor()
  await tile(page, 'Report').getByText('100%').waitFor()
  const inked = await first.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, index) => index % 4 === 0 && value < 128)
  })
  expect(inked).toBe(true)
  const widthOf = async () => (await first.boundingBox())!.width
  const before = await widthOf()
  await tile(page, 'Report').getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => Math.round(100 * ((await widthOf()) / before))).toBe(125)
  await tile(page, 'Report').getByRole('group', { name: 'Page 3 of 4' }).scrollIntoViewIfNeeded()
  await tile(page, 'Report').getByText('Part 3 of the report').waitFor()
  await tile(page, 'Report')
    .getByText(/page [23] of 4/)
    .waitFor()
  await tile(page, 'Broken').getByText('broken.pdf cannot be read as a PDF').waitFor()
  await tile(page, 'Gone').getByText('File gone.pdf not found in group Pictures').waitFor()
  expect(await tile(page, 'Gone').locator('[data-tile-error]').count()).toBe(1)
  expect(await accessibilityProblems(page)).toEqual([])
})

test('draws scans and Asian characters, for which a PDF relies on its reader', async () => {
  await picture('scan.pdf', scan())
  await makeInsight('Scans', [{ id: 'p', type: 'PDF', title: 'Scan', source: file('scan.pdf') }])
  const page = await stage.newPage()
  const decoder = page.waitForResponse((response) => /\/jbig2.*\.wasm$/.test(response.url()))
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Scans')
  expect((await decoder).status()).toBe(200)
  const canvas = tile(page, 'Scan').locator('canvas[data-drawn]')
  await canvas.waitFor()
  const [scanned, written, empty] = await canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const context = (element as HTMLCanvasElement).getContext('2d')!
    const darkest = (x: number, y: number, wide: number, high: number) =>
      context
        .getImageData(x * width, y * height, wide * width, high * height)
        .data.reduce((least, value, index) => (index % 4 === 0 ? Math.min(least, value) : least), 255)
    return [darkest(0.45, 0.6, 0.1, 0.1), darkest(0.25, 0.1, 0.2, 0.15), darkest(0.7, 0.1, 0.2, 0.2)]
  })
  expect([scanned, written! < 100, empty]).toEqual([0, true, 255])
})

/** A PDF with a completely black scanned picture (CCITT) and two Chinese characters in a font that is not embedded. */
function scan(): Buffer {
  const picture = Buffer.from('26A280080080', 'hex').toString('latin1')
  const content = 'q 200 0 0 200 100 100 cm /Im Do Q BT /F 40 Tf 100 400 Td <4E2D6587> Tj ET'
  const stream = (entries: string, text: string) =>
    `<<${entries}/Length ${text.length}>>stream\n${text}\nendstream`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 500]/Contents 4 0 R/Resources<</XObject<</Im 5 0 R>>/Font<</F 6 0 R>>>>>>',
    stream('', content),
    stream(
      '/Type/XObject/Subtype/Image/Width 8/Height 1/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode' +
        '/DecodeParms<</K -1/Columns 8/Rows 1>>',
      picture,
    ),
    '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[7 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/FontDescriptor 8 0 R' +
      '/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>',
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800' +
      '/Descent -200/CapHeight 700/StemV 80>>',
  ]
  const locations: number[] = []
  let text = '%PDF-1.5\n'
  for (const [index, object] of objects.entries()) {
    locations.push(text.length)
    text += `${index + 1} 0 obj${object}\nendobj\n`
  }
  const lines = locations.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${count}\n0000000000 65535 f \n${lines.join('')}` +
      `trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  )
}

test('IN-221 a code tile without codeType runs HTML in a sandboxed frame that receives the rows of its series', async () => {
  const { port } = elsewhere.address() as AddressInfo
  const away = `http://127.0.0.1:${port}`
  const html = `<p id="rows"></p><p id="log"></p><button id="leave">Leave</button><form action="${away}/form"><input name="a"></form><script>
    const said = []
    const tryTo = (name, act) => { try { said.push(name + ' ' + act()) } catch { said.push(name + ' refused') } }
    rows.textContent = headwater.data.rows.length + ' rows, newest ' + headwater.data.rows[0][3]
    tryTo('parent', () => parent.document.title)
    tryTo('storage', () => parent.localStorage.length + localStorage.length)
    tryTo('cookie', () => document.cookie)
    tryTo('origin', () => origin)
    tryTo('popup', () => window.open('${away}/popup') === null ? 'refused' : 'open')
    tryTo('top', () => { top.location = '${away}/top'; return 'moved' })
    document.forms[0].submit()
    new Image().src = '${away}/image'
    navigator.sendBeacon('${away}/beacon')
    try { new WebSocket('ws://127.0.0.1:${port}/socket') } catch {}
    const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = '${away}/style'; document.head.append(link)
    const frame = document.createElement('iframe'); frame.src = '${away}/frame'; document.body.append(frame)
    fetch('${away}/fetch').then(() => said.push('fetch went'), () => said.push('fetch refused'))
      .then(() => fetch('/settings')).then(() => said.push('api went'), () => said.push('api refused'))
      .then(() => { log.textContent = said.join('; ') })
    leave.onclick = () => { location = '${away}/self' }
  </script>`
  const code = (id: string, more: object) => ({
    id,
    type: 'CODE',
    title: id,
    tileWidth: 'half',
    lastTypeAmount: 5,
    ...more,
  })
  await makeInsight(
    'Code',
    [
      code('Own', { source: { type: 'EDITOR' }, templateContent: html }),
      code('Snake', {
        codeType: 'python',
        source: { type: 'EDITOR' },
        templateContent: [
          'import os, socket',
          'print("<p>", len(data["rows"]), "rows, newest", max(cell for cell in data["rows"][0] if isinstance(cell, (int, float))), "</p><script>document.body.append(" + chr(34) + "ran" + chr(34) + ")</script>")',
          'try:',
          '    socket.create_connection(("127.0.0.1", 80), 1)',
          'except OSError:',
          '    print("no network")',
        ].join('\n'),
      }),
      code('Broken', {
        codeType: 'python',
        source: { type: 'EDITOR' },
        templateContent: 'print("1 < 2\\nso far")\n1 / 0',
      }),
      code('Template', { source: { type: 'EDITOR' }, templateContent: '<#list rows as row>x</#list>' }),
    ],
    { datapreps: { Own: requested('Brent'), Snake: requested('Brent') } },
  )
  const page = await open('/Insight/Reports/Code')
  const refusals = stage.problemsOf(page)
  const frame = tile(page, 'Own').frameLocator('iframe')
  await frame.getByText('5 rows, newest 499').waitFor()
  await frame.getByText('api refused').waitFor()
  expect((await frame.locator('#log').textContent())!.split('; ')).toEqual([
    'parent refused',
    'storage refused',
    'cookie refused',
    'origin null',
    'popup refused',
    'top refused',
    'fetch refused',
    'api refused',
  ])
  const printed = tile(page, 'Snake').frameLocator('iframe')
  await printed.getByText('5 rows, newest 499').waitFor()
  await printed.getByText('no network').waitFor()
  await printed.getByText('ran').waitFor()
  await tile(page, 'Broken').getByText('ZeroDivisionError: division by zero').waitFor()
  const plain = tile(page, 'Broken').frameLocator('iframe').locator('pre')
  expect((await plain.innerText()).trimEnd()).toBe('1 < 2\nso far')
  await tile(page, 'Template').getByText('FreeMarker (FTL) cannot run yet.').waitFor()
  // the frame tries to navigate last; the browser blocks it, and the page remains
  const blockedFrames = () => refusals.filter((text) => text.includes('frame-src')).length
  const before = blockedFrames()
  await frame.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(blockedFrames).toBeGreaterThan(before)
  expect(new URL(page.url()).pathname).toBe('/Insight/Reports/Code')
  expect(reached).toEqual([])
  refusals.length = 0
})

test('the proposed code of a new code tile runs in both languages before the tile has data', async () => {
  const code = { type: 'CODE', tileHeight: 'half', source: { type: 'EDITOR' } }
  await makeInsight('Samples', [
    { ...code, id: 'a', title: 'Markup', templateContent: '' },
    { ...code, id: 'b', title: 'Snake', templateContent: '', codeType: 'python' },
    { ...code, id: 'c', title: 'Careless', templateContent: 'print(data["rows"])', codeType: 'python' },
  ])
  const page = await open('/Insight/Reports/Samples')
  await tile(page, 'Careless').getByText('choose series under Data', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  for (const title of ['Markup', 'Snake']) {
    await tile(page, title).getByRole('heading', { name: title }).click()
    const field = page.getByRole('tabpanel').getByLabel('Code', { exact: true })
    await field.fill((await field.getAttribute('placeholder'))!)
    await tile(page, title).frameLocator('iframe').getByText('Choose series under Data.').waitFor()
  }
})

test('a code tile that comes near the window while offline starts once the connection is back', async () => {
  const code = { type: 'CODE', source: { type: 'EDITOR' } }
  const terms = { type: 'Text', tileHeight: 'full', source: { type: 'EDITOR' }, templateContent: 'x' }
  await makeInsight('Late code', [
    { ...code, id: 'a', title: 'Early', templateContent: '<p>early</p>' },
    ...['b', 'c', 'd'].map((id) => ({ ...terms, id, title: id })),
    { ...code, id: 'z', title: 'Late', templateContent: '<p>late</p>' },
  ])
  const page = await open('/Insight/Reports/Late code')
  await tile(page, 'Early').frameLocator('iframe').getByText('early').waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await tile(page, 'Late').scrollIntoViewIfNeeded()
  const frame = tile(page, 'Late').locator('iframe')
  await frame.waitFor()
  expect(await frame.getAttribute('src')).toBeNull()
  await page.context().setOffline(false)
  await tile(page, 'Late').frameLocator('iframe').getByText('late').waitFor()
})

test('a visible page estimates its first view; a frame and a background page wait until tiles are visible', async () => {
  const tiles = Array.from({ length: 12 }, (_, index) => ({
    id: `t${index}`,
    type: 'Table',
    title: `Tile ${index}`,
    lastTypeAmount: 100 + index,
  }))
  const datapreps = Object.fromEntries(tiles.map(({ id }) => [id, requested('Brent')]))
  await makeInsight('Guessed', tiles, { datapreps })
  /** Returns the tiles that send requests before the layout is known; the last one, which is then near, ends it. */
  async function requestingTiles(kind: 'seen' | 'hidden' | 'framed'): Promise<number[]> {
    const page = await stage.newPage()
    const indices: number[] = []
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.endsWith('/data')) return
      const { tiles: requested } = request.postDataJSON() as { tiles: { id: string }[] }
      for (const { id } of requested) indices.push(Number(id.slice(1)))
    })
    await page.addInitScript((isHidden) => {
      const watched: { target: Element; notify: IntersectionObserverCallback }[] = []
      const reported = (target: Element) => [{ target, isIntersecting: true }] as IntersectionObserverEntry[]
      Object.assign(window, {
        IntersectionObserver: class {
          notify: IntersectionObserverCallback
          constructor(notify: IntersectionObserverCallback) {
            this.notify = notify
          }
          observe(target: Element) {
            watched.push({ target, notify: this.notify })
          }
          unobserve() {}
          disconnect() {}
        },
        comeNear(id: string) {
          const observers = watched.filter(({ target }) => target.matches(`[data-tile-id="${id}"]`))
          for (const { target, notify } of observers) notify(reported(target), undefined as never)
          return observers.length > 0
        },
      })
      if (isHidden) Object.defineProperty(document, 'hidden', { get: () => true })
    }, kind === 'hidden')
    const path = '/Insight/Reports/Guessed'
    await openAs(page, stage.server.url, anna.userName, kind === 'framed' ? '/Insight' : path)
    if (kind === 'framed') {
      await page.getByRole('link', { name: 'Guessed' }).waitFor()
      await page.evaluate((src) => {
        const frame = document.createElement('iframe')
        Object.assign(frame, { src, name: 'framed' })
        document.body.replaceChildren(frame)
      }, path)
    }
    const displayed = () => (kind === 'framed' ? page.frame('framed') : page.mainFrame())
    await expect.poll(() => displayed()?.locator('[data-tile-id]').count()).toBe(12)
    await displayed()!
      .locator('[data-tile-id="t11"]')
      .getByRole('status', { name: 'Loading' })
      .waitFor({ state: 'attached' })
    // A tile is observed shortly after it appears.
    const comeNear = () => (window as unknown as { comeNear(id: string): boolean }).comeNear('t11')
    await expect.poll(() => displayed()!.evaluate(comeNear)).toBe(true)
    await expect.poll(() => indices).toContain(11)
    return indices.filter((index) => index !== 11).toSorted((a, b) => a - b)
  }
  expect(await requestingTiles('seen')).toEqual([0, 1, 2])
  expect(await requestingTiles('hidden')).toEqual([])
  expect(await requestingTiles('framed')).toEqual([])
})

test('IN-224 IN-225 IN-226 IN-227 IN-228 IN-229 IN-230 a search tile searches symbols of its groups by patterns and shows the newest 50 values of one', async () => {
  await anna.call(createGroup, { body: { name: 'Elsewhere' } })
  const content = 'Code,Region,Date,Close\nWhale,Europe,2026-01-01,1\n'
  await upload(anna, { groupName: 'Elsewhere', fileName: 'e.csv', fileType: 'NCSV', content })
  const search = {
    id: 'q',
    type: 'SEARCH',
    title: 'Find',
    groupNames: ['Prices'],
    range: 'LAST',
    lastTypeAmount: 50,
    filters: [
      { filterKey: 'Code', label: 'Name', defaultValue: '' },
      { filterKey: 'Region', label: '', defaultValue: 'euro' },
    ],
    columns: [{ columnId: 'Close', header: 'Price' }],
  }
  await makeInsight('Search', [search])
  const page = await stage.newPage()
  const result = tile(page, 'Find')
  const seriesQuery = page.waitForRequest(
    (request) => request.url().includes('/ts/') && (request.postData() ?? '').includes('"lastTypeAmount":50'),
  )
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Search')
  await result.getByText('1 symbol', { exact: true }).waitFor()
  expect((await seriesQuery).postDataJSON()).toMatchObject({ range: 'LAST', lastTypeAmount: 50 })
  await result
    .getByRole('grid', { name: 'Values of Brent Europe' })
    .or(result.getByLabel('Values of Brent Europe'))
    .first()
    .waitFor()
  await result.getByText('499').first().waitFor()
  await result.getByText('Brent Europe last 50 values', { exact: true }).waitFor()
  const heading = result.getByRole('columnheader', { name: 'Price', exact: true })
  await expect.poll(async () => (await heading.boundingBox())?.width).toBe(88)
  expect(await result.getByRole('searchbox', { name: 'Region' }).inputValue()).toBe('euro')
  const region = result.getByRole('searchbox', { name: 'Region' })
  await region.fill('')
  await result.getByText('2 symbols').waitFor()
  await region.fill('EURO')
  await result.getByText('1 symbol', { exact: true }).waitFor()
  await region.fill('')
  await result.getByText('2 symbols').waitFor()
  await result.getByRole('searchbox', { name: 'Name' }).fill('^W')
  await result.getByText('1 symbol', { exact: true }).waitFor()
  await result.getByText('599').first().waitFor()
  await result.getByRole('searchbox', { name: 'Name' }).fill('[')
  await result.getByText('2 symbols').waitFor()
  expect(await result.locator('[data-tile-error]').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Search', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  expect(await panel.getByLabel('Amount').inputValue()).toBe('50')
  await panel.getByLabel('Groups', { exact: true }).click()
  await page.getByRole('option', { name: 'Prices', exact: true }).click()
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Add field' }).click()
  await panel.getByLabel('Label').fill('Name')
  await panel.getByLabel('Default').fill('bre')
  await panel.getByRole('tab', { name: 'Columns' }).click()
  await panel.getByRole('button', { name: 'Add column' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  const added = (await contentOf('Search')).tiles.find(({ id }) => id !== 'q')
  expect(added).toMatchObject({
    type: 'SEARCH',
    groupNames: ['Prices'],
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 50,
    filters: [{ filterKey: 'Code', label: 'Name', defaultValue: 'bre' }],
    columns: [{ columnId: 'Close', columnWidth: 88 }],
  })
})

test('IN-347 a tile of any kind that had data is empty, with an error, after a refresh fails', async () => {
  const half = { tileWidth: 'half', tileHeight: 'quarter' }
  await picture('words.md', 'Text of a file')
  await picture('page.html', '<p>Page of a file</p>')
  const kinds = {
    Chart: { type: 'Chart', series: [{ ...series('Brent'), symbolList: [series('Brent').symbols] }] },
    Table: { type: 'Table' },
    Stats: { type: 'STATS', series: [series('Brent')] },
    Search: { type: 'SEARCH', groupNames: ['Prices'] },
    Text: { type: 'Text', source: file('words.md') },
    Code: { type: 'CODE', source: file('page.html') },
    Script: { type: 'CODE', source: { type: 'EDITOR' }, templateContent: '<p>Script</p>' },
    Image: { type: 'IMAGE', source: file('map.png') },
    PDF: { type: 'PDF', source: file('report.pdf') },
  }
  const titles = Object.keys(kinds)
  await makeInsight(
    'Failing',
    Object.entries(kinds).map(([title, kind]) => ({ id: title, title, ...half, ...kind })),
    { datapreps: { Table: requested('Brent'), Script: requested('Brent') } },
  )
  const page = await stage.newPage({ viewport: { width: 1440, height: 2000 } })
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Failing')
  const content = (title: string) =>
    tile(page, title).locator(
      'canvas, img, iframe, li, p:text("Text of a file"), [role=cell], [role=gridcell]',
    )
  for (const title of titles) await content(title).first().waitFor()
  expect(await page.locator('[data-tile-error]').count()).toBe(0)
  await stopClock(page)
  for (const path of ['/ts/', '/file', '/insight/*/data'])
    await page.route(`${stage.server.url}${path}**`, (route) =>
      route.fulfill({ status: 500, json: { status: 500, code: 'x', message: 'The mill is broken' } }),
    )
  for (const title of titles) {
    await pollClock(page, 500, () => tile(page, title).locator('[data-tile-error]').count()).toBe(1)
    expect(await content(title).count(), title).toBe(0)
  }
})

test('IN-153 IN-154 IN-155 workflow tiles require read access to workflows and never appear in a frame', async () => {
  const text = { id: 'a', type: 'Text', title: 'Words', source: { type: 'EDITOR' }, templateContent: 'Hello' }
  await makeInsight('Kinds', [
    text,
    { id: 'b', type: 'STATUS', title: 'Status', tileWidth: 'half' },
    { id: 'c', type: 'DIAGRAM', title: 'Diagram', tileWidth: 'half' },
  ])
  const titles = (page: Page | ReturnType<Page['frameLocator']>) =>
    page.locator('[data-tile-id] h2').allTextContents()
  const page = await open('/Insight/Reports/Kinds')
  await tile(page, 'Words').waitFor()
  await expect.poll(() => titles(page)).toEqual(['Words', 'Status', 'Diagram'])
  const viewer = await stage.server.createUser({ role: 'Viewer' })
  const { groupId } = await anna.call(getGroup, { params: { name: 'Reports' } })
  await stage.server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access) select $1, id, 'R' from users where user_name = $2`,
    [groupId, viewer.userName],
  )
  const restricted = await open('/Insight/Reports/Kinds', {}, viewer)
  await tile(restricted, 'Words').waitFor()
  await expect.poll(() => titles(restricted)).toEqual(['Words'])
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.id = 'framed'
    frame.src = `${location.pathname}?framed=1`
    document.body.replaceChildren(frame)
  })
  const framed = page.frameLocator('#framed')
  await framed.locator('[data-tile-id]').first().waitFor()
  await expect.poll(() => titles(framed)).toEqual(['Words'])
})

test('IN-263 summary boxes are titled by number, added, changed, duplicated, reordered and removed', async () => {
  await makeInsight('Boxes', [
    { id: 'a', type: 'Text', title: 'Words', source: { type: 'EDITOR' }, templateContent: 'x' },
  ])
  const page = await open('/Insight/Reports/Boxes?edit=true')
  const panel = page.getByRole('complementary', { name: 'Settings' })
  const titles = () => page.getByRole('list', { name: 'Summary' }).getByRole('heading').allTextContents()
  await panel.getByRole('button', { name: /^Summary box/ }).click()
  await panel.getByLabel('Text', { exact: true }).fill('Week 47')
  await panel.getByRole('button', { name: 'Duplicate Summary 1' }).click()
  await expect.poll(titles).toEqual(['Summary 1', 'Summary 2'])
  await chooseFrom(page, panel.getByLabel('Content'), 'Statistic of a series')
  await panel.getByRole('button', { name: 'Choose a series' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: /^Prices/ }).click()
  await picker.getByRole('button', { name: 'Brent Europe, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  const summary = page.getByRole('list', { name: 'Summary' })
  await summary.getByText('499').waitFor()
  await panel.getByRole('button', { name: 'Move Summary 2 to the left' }).click()
  await expect.poll(titles).toEqual(['Summary 2', 'Summary 1'])
  await panel.getByRole('button', { name: 'Delete Summary 2' }).click()
  await expect.poll(titles).toEqual(['Summary 1'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toEqual(['Summary 2', 'Summary 1'])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  await summary.getByText('Week 47').waitFor()
  expect((await contentOf('Boxes')).headerBoxes).toMatchObject([
    { title: 'Summary 2', content: 'STATISTIC' },
    { title: 'Summary 1', content: 'TEXT', text: 'Week 47' },
  ])
  expect(await accessibilityProblems(page)).toEqual([])
  const statistic = {
    ...((await contentOf('Boxes')).headerBoxes![0] as object),
    conditionalFormatting: [{ condition: 'regex', conditionValueA: 'a(?=b)' }],
  }
  await makeInsight('Ignored', [], { headerBoxes: [statistic] })
  const other = await open('/Insight/Reports/Ignored')
  await other.getByRole('list', { name: 'Summary' }).getByText('Pattern ignored').waitFor()
  expect(await accessibilityProblems(other)).toEqual([])
})

test('IN-264 IN-265 IN-266 footer buttons are numbered, open pages and tiles, and download data preps', async () => {
  const dataPrep = {
    name: 'Both',
    outputGroup: 'Reports',
    range: 'LAST',
    lastTypeAmount: 3,
    ...requested('Brent'),
  }
  await anna.call(createDataPrep, { body: { dataPrep } as never })
  await makeInsight('Footer', [
    { id: 'a', type: 'Text', title: 'Words', source: { type: 'EDITOR' }, templateContent: 'x' },
  ])
  const page = await open('/Insight/Reports/Footer?edit=true')
  const panel = page.getByRole('complementary', { name: 'Settings' })
  const buttons = page.getByRole('group', { name: 'Actions for the insight' })
  const texts = () => buttons.getByRole('button').allTextContents()
  await panel.getByRole('button', { name: /^Footer button/ }).click()
  await expect.poll(texts).toEqual(['Show results'])
  await panel.getByRole('button', { name: 'Duplicate Show results' }).click()
  await expect.poll(texts).toEqual(['Show results', 'Button2'])
  await chooseFrom(page, panel.getByLabel('Action', { exact: true }), 'Open a page')
  await panel.getByLabel('Page', { exact: true }).fill('https://evil.example/x')
  await panel.getByText('Enter a page of this application').waitFor()
  await panel.getByLabel('Page', { exact: true }).fill('/Lake')
  await panel.getByRole('button', { name: 'Duplicate Button2' }).click()
  await chooseFrom(page, panel.getByLabel('Action', { exact: true }), 'Scroll to a tile')
  await chooseFrom(page, panel.getByLabel('Tile'), 'Words')
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Footer button' }).click()
  await expect.poll(texts).toEqual(['Show results', 'Button2', 'Button3', 'Button4'])
  await chooseFrom(page, panel.getByLabel('Action', { exact: true }), 'Download data prep')
  await panel.getByLabel('Group').fill('Reports')
  await page.getByRole('option', { name: 'Reports', exact: true }).click()
  await panel.getByLabel('Data prep', { exact: true }).fill('Both')
  await panel.getByRole('button', { name: 'Move Button4 to the left' }).click()
  await expect.poll(texts).toEqual(['Show results', 'Button2', 'Button4', 'Button3'])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Footer')).footer).toMatchObject({
    buttons: [
      { text: 'Show results', type: 'SHOW_RESULTS' },
      { text: 'Button2', type: 'OPEN_LINK' },
      { text: 'Button4', type: 'DOWNLOAD_DATA_PREP' },
      { text: 'Button3', type: 'SCROLL_TO_TILE' },
    ],
  })
  // without parameters there is nothing to display
  await expect.poll(() => buttons.getByRole('button', { name: 'Show results' }).isDisabled()).toBe(true)
  const { name, bytes } = await downloaded(page, () =>
    buttons.getByRole('button', { name: 'Button4' }).click(),
  )
  expect([name, bytes.toString('utf8').trim().split('\n').length]).toEqual(['Both.csv', 4])
  await buttons.getByRole('button', { name: 'Button3' }).click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#Words')
  await buttons.getByRole('button', { name: 'Button2' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/Lake')
})

test('IN-355 a download without rows and a failed download show that there is no data', async () => {
  const nothing = { range: 'BETWEEN', dateFrom: '2001-01-01', dateTo: '2001-01-02', ...requested('Brent') }
  const dataPrep = { name: 'Nothing', outputGroup: 'Reports', ...nothing }
  await anna.call(createDataPrep, { body: { dataPrep } as never })
  const button = (id: string, name: string) => ({
    id,
    text: name,
    type: 'DOWNLOAD_DATA_PREP',
    dataPrep: { groupName: 'Reports', name },
  })
  await makeInsight('Downloads', [{ id: 'n', type: 'Table', title: 'No rows' }], {
    datapreps: { n: requested('Missing') },
    footer: { buttons: [button('a', 'Nothing'), button('b', 'Gone'), { id: 'c', text: 'Odd', type: 'FLY' }] },
  })
  const page = await open('/Insight/Reports/Downloads')
  const reported = page
    .getByLabel('Notifications')
    .getByText('Could not find any data to download', { exact: true })
  for (const path of ['**/ts/stream**', '**/datapreps/**']) {
    await page.route(path, (route) => route.abort())
    await page.getByRole('button', { name: 'Nothing' }).click()
    await reported.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await reported.waitFor({ state: 'detached' })
    await page.unroute(path)
  }
  await page.getByRole('button', { name: 'Nothing' }).click()
  await reported.waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await reported.waitFor({ state: 'detached' })
  await tile(page, 'No rows').getByRole('button', { name: 'Actions for No rows' }).click()
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
  await reported.waitFor()
  await page.getByRole('button', { name: 'Gone' }).click()
  await page.getByText('User is not authorized to the data prep or the data prep does not exist.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Odd' }).isDisabled()).toBe(true)
})

/** A set of input parameters with one field. */
const where = {
  title: 'Where',
  basicInputParamsType: 'TS',
  groupName: 'Prices',
  keys: [{ symbolKey: 'Region', label: 'Region', defaultValue: 'Europe' }],
}

test('IN-266 the button “Show results” opens the parameters, then applies the choices in them', async () => {
  await makeInsight(
    'Results',
    [{ id: 'a', type: 'Text', title: 'Words', source: { type: 'EDITOR' }, templateContent: 'In {{Region}}' }],
    {
      inputParams: { p: where },
      footer: { buttons: [{ id: 'f', type: 'SHOW_RESULTS', text: 'Show results' }] },
    },
  )
  const page = await open('/Insight/Reports/Results')
  await tile(page, 'Words').getByText('In Europe').waitFor()
  const show = page.getByRole('button', { name: 'Show results' })
  await show.click()
  const panel = page.getByRole('complementary', { name: 'Parameters' })
  await panel.getByLabel('Region').fill('America')
  await page.getByRole('option', { name: 'America' }).click()
  await tile(page, 'Words').getByText('In Europe').waitFor()
  await show.click()
  await page.getByText('Parameters applied succesfully').waitFor()
  await tile(page, 'Words').getByText('In America').waitFor()
})

test('IN-009 IN-116 tables, charts, stats and searches are saved as XLSX, with numbers as numbers and formulas as text', async () => {
  const chart = {
    groupName: 'Prices',
    symbolList: [{ Code: 'Brent', Region: 'Europe' }],
    column: 'Close',
    label: '=Brent',
  }
  await makeInsight(
    'Sheets',
    [
      { id: 't', type: 'Table', title: 'Rows', lastTypeAmount: 2, columns: [] },
      { id: 'c', type: 'Chart', title: 'Lines', lastTypeAmount: 3, series: [chart] },
      { id: 'n', type: 'Table', title: 'Kept here', lastTypeAmount: 2, columns: [], downloadable: false },
      { id: 's', type: 'STATS', title: 'Figures', series: [series('Brent')] },
      { id: 'q', type: 'SEARCH', title: 'Find', groupNames: ['Prices'] },
    ],
    { datapreps: { t: requested('Brent', 'WTI'), n: requested('Brent') } },
  )
  const page = await open('/Insight/Reports/Sheets')
  await tile(page, 'Rows').getByText('=1+1').first().waitFor()
  const rows = await saved(page, 'Rows', 'Save as XLSX')
  expect(rows.name).toBe('Rows.xlsx')
  const [head, first] = workbook(rows.bytes).get('Rows')!
  expect(head).toEqual(['Code', 'Region', 'Date (UTC)', 'Close', 'Note'])
  expect(first).toEqual(['Brent', 'Europe', 46057, 499, '=1+1'])
  await tile(page, 'Lines').locator('canvas').first().waitFor()
  const lines = workbook((await saved(page, 'Lines', 'Save as XLSX')).bytes).get('Lines')!
  expect(lines).toEqual([
    ['Time (UTC)', '=Brent'],
    [46055, 497],
    [46056, 498],
    [46057, 499],
  ])
  await tile(page, 'Figures').getByText('499').waitFor()
  const figures = workbook((await saved(page, 'Figures', 'Save as XLSX')).bytes).get('Figures')!
  expect(figures.flat()).toEqual(expect.arrayContaining(['Brent Europe', 499]))
  await tile(page, 'Find').getByText('2 symbols').waitFor()
  const result = await saved(page, 'Find', 'Save as XLSX')
  expect(workbook(result.bytes).get('Find')).toEqual([
    ['Code', 'Region', 'Group'],
    ['Brent', 'Europe', 'Prices'],
    ['WTI', 'America', 'Prices'],
  ])
  await tile(page, 'Kept here').getByRole('button', { name: 'Actions for Kept here' }).click()
  await page.getByRole('menuitem', { name: 'Full screen' }).waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(1)

  // A file with the page range contains it in its name and in a note.
  await page.goto(new URL('/Insight/Reports/Sheets?range=2026-02-01..2026-02-02', stage.server.url).href)
  await tile(page, 'Lines').locator('canvas').first().waitFor()
  const ranged = await saved(page, 'Lines', 'Save as XLSX')
  const range = '2026-02-01 to 2026-02-02'
  expect(ranged.name).toBe(`Lines (${range}).xlsx`)
  expect(workbook(ranged.bytes).get('Lines')).toHaveLength(3)
  expect(workbook(ranged.bytes).get('Note')).toEqual([
    ['Tile', 'Note'],
    ['Lines', `Range chosen for the page: ${range}.`],
  ])
})

test('IN-393 IN-395 IN-396 IN-397 IN-398 a tile is saved to the lake with a templated name and metadata of its origin', async () => {
  await makeInsight('Saving', [{ id: 't', type: 'Table', title: 'Rows', lastTypeAmount: 2, columns: [] }], {
    datapreps: { t: requested('WTI') },
  })
  const page = await open('/Insight/Reports/Saving')
  await tile(page, 'Rows').getByText('@sum').first().waitFor()
  await tile(page, 'Rows').getByRole('button', { name: 'Actions for Rows' }).click()
  await page.getByRole('menuitem', { name: 'Save to data lake' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save to data lake' })
  await dialog.getByLabel('File name').fill('')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('A file needs a name.').waitFor()
  await dialog.getByLabel('File name').fill('rows <b>{date:yyyy}</b> {millis}')
  await dialog.getByLabel('Group').fill('Pictures')
  await page.getByRole('option', { name: 'Pictures', exact: true }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText(/can't contain/).waitFor()
  await dialog.getByLabel('File name').fill('rows <b>{date:yyyy} {millis}')
  const announced = page.waitForResponse(
    (response) => response.request().method() === 'POST' && new URL(response.url()).pathname === '/file',
  )
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const response = await announced
  const fields = [
    { name: 'Saved by', value: 'anna@example.com' },
    { name: 'Source name', value: 'Saving' },
    { name: 'Source group', value: 'Reports' },
    { name: 'Source type', value: 'Insight' },
    { name: 'Tile', value: 'Rows' },
  ]
  const fileName = expect.stringMatching(/^rows <b>20\d\d \d{13}\.csv$/) as string
  const body = { fileName, groupName: 'Pictures', fileType: 'SOURCE', fields, zipped: false }
  expect(response.request().postDataJSON()).toEqual(body)
  const { location, fileId } = (await response.json()) as { location: string; fileId: string }
  expect(new URL(location).pathname).toBe(`/file/${fileId}/content`)
  await page.getByLabel('Notifications').getByText('File has been saved.', { exact: true }).waitFor()
  const jobId = response.headers()['x-kh-job-id']!
  const jobIds = async () =>
    (await anna.call(searchStatuses, { query: { jobId, type: 'ETL' } })).items.map((job) => job.jobId)
  await expect.poll(jobIds).toEqual([jobId])
  const query = { query: 'name=rows*&groupName=Pictures', latest: true, size: 1 }
  const [stored] = (await anna.call(searchFiles, { query })).items
  expect(stored!.fid).toBe(fileId)
  const millis = Number(/ (\d{13})\.csv$/.exec(stored!.fileName)![1])
  expect(Math.abs(Date.now() - millis)).toBeLessThan(600_000)
  expect(stored!.fileName).toContain(`<b>${new Date(millis).getUTCFullYear()} `)
  expect(stored!.fields).toMatchObject({
    'Saved by': 'anna@example.com',
    'Source name': 'Saving',
    'Source group': 'Reports',
    'Source type': 'Insight',
    Tile: 'Rows',
  })
  const content = await anna.fetch(downloadFile.path.replace(':fid', stored!.fid))
  expect((await content.text()).split('\r\n')[1]).toBe("WTI,America,2026-02-04T00:00:00,599,'@sum")
})

test('a whole insight is exported as XLSX with a sheet for each tile, and as pages with all rows and its parameters', async () => {
  const text = {
    id: 'w',
    type: 'Text',
    title: 'Words',
    source: { type: 'EDITOR' },
    templateContent: '**Bold** <script>window.stolen = 1</script>',
  }
  const chart = {
    groupName: 'Prices',
    symbolList: [{ Code: 'Brent', Region: 'Europe' }],
    column: 'Close',
    label: 'Brent',
  }
  await makeInsight(
    'Whole',
    [
      text,
      { id: 'c', type: 'Chart', title: 'Lines', series: [chart] },
      {
        id: 't',
        type: 'Table',
        title: 'Rows',
        lastTypeAmount: 300,
        columns: [],
        conditionalFormatting: [
          { applyTo: 'Close', condition: '>', conditionValueA: '0', bgColor: '#12ab34' },
          { applyTo: 'Close', kind: 'ICON_SET' },
          { applyTo: 'Close', kind: 'DATA_BAR' },
        ],
      },
      { id: 'i', type: 'IMAGE', title: 'Map', source: file('map.png') },
      { id: 'x', type: 'Table', title: 'Hidden', columns: [], hidden: true },
    ],
    {
      datapreps: { t: requested('Brent') },
      headerBoxes: [{ id: 'b', title: 'Summary 1', content: 'TEXT', text: 'Week 47' }],
      inputParams: {
        p: where,
        q: { ...where, title: 'Secret', keys: [{ symbolKey: 'Code', label: 'Secret' }], isHidden: true },
      },
    },
  )
  const page = await stage.newPage()
  // the dialog of the browser is not part of the page
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-print-asked', 'true')
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Whole')
  await tile(page, 'Words').getByText('Bold').waitFor()
  const menu = page.getByRole('button', { name: 'Export' })
  await menu.click()
  const xlsx = await downloaded(page, () => page.getByRole('menuitem', { name: 'Save as XLSX' }).click())
  expect(xlsx.name).toBe('Whole.xlsx')
  const sheets = workbook(xlsx.bytes)
  expect([...sheets.keys()]).toEqual(['Insight', 'Lines', 'Rows'])
  expect(sheets.get('Rows')).toHaveLength(301)
  expect(sheets.get('Insight')).toContainEqual(['Summary 1', 'Week 47'])
  expect(sheets.get('Insight')!.find(([name]) => name === 'Map')?.[1]).toMatch(/^An image/)
  const looks = unzipped(xlsx.bytes).get('xl/styles.xml')?.toUpperCase()
  expect(looks).toContain('12AB34')
  expect(looks).toContain('▲')

  await page.keyboard.press('Control+p')
  const dialog = page.getByRole('dialog', { name: 'Print or save as PDF' })
  const aboutPages = async () =>
    Number(/About (\d+) pages/.exec(await dialog.getByRole('status').innerText())?.[1])
  await expect.poll(aboutPages).toBeGreaterThan(5)
  const allPages = await aboutPages()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('Rows').click()
  await page.getByRole('option', { name: 'First 50 rows of each table' }).click()
  await expect.poll(aboutPages).toBeLessThan(5)
  await dialog.getByRole('button', { name: 'Print' }).click()
  await page.locator('html[data-print-asked]').waitFor()
  await page
    .getByText('The first 50 of 300 rows. The XLSX file contains all rows.')
    .waitFor({ state: 'attached' })
  expect(await page.locator('[data-print-document] tbody tr').count()).toBe(50)
  await page.evaluate(() => {
    document.documentElement.removeAttribute('data-print-asked')
    window.dispatchEvent(new Event('afterprint'))
  })
  await dialog.waitFor({ state: 'detached' })

  await menu.click()
  await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click()
  await dialog.getByRole('button', { name: 'Print' }).click()
  await page.locator('html[data-print-asked]').waitFor()
  expect(await page.locator('[data-print-document] img').count()).toBe(2)
  expect(await page.locator('[data-print-document] tbody tr').count()).toBe(300)
  expect(await page.getByText(/^The first .* rows\./).count()).toBe(0)
  const cells = '[data-print-document] td[data-kind=number]'
  await expect
    .poll(() =>
      page
        .locator(cells)
        .first()
        .evaluate((cell) => getComputedStyle(cell).backgroundColor),
    )
    .toBe('rgb(18, 171, 52)')
  const printedCell = page.locator(cells).first()
  expect(await printedCell.evaluate((each) => getComputedStyle(each).backgroundImage)).toContain('gradient')
  expect(await printedCell.getByLabel('high').count()).toBe(1)
  // drawn as wide as the page, with two pixels for each
  const widthOf = (picture: HTMLImageElement) => picture.naturalWidth
  await expect.poll(() => page.getByAltText('Lines', { exact: true }).evaluate(widthOf)).toBe(2 * 695)
  const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }))
  const tablePages = pages.filter((terms) => /Code +Region +Date \(UTC\) +Close/.test(terms))
  expect(pages.length).toBeGreaterThan(5)
  expect(Math.abs(pages.length - allPages)).toBeLessThanOrEqual(2)
  expect(tablePages.length).toBeGreaterThan(4)
  const printed = pages.join(' ')
  for (const term of ['Whole', 'Week 47', 'Bold', 'Lines', 'Map', 'Parameters', 'Region', 'Europe'])
    expect([term, printed.includes(term)]).toEqual([term, true])
  expect(printed.match(/2025-\d\d-\d\d/g)).toHaveLength(265)
  for (const term of ['Hidden', 'Secret']) expect([term, printed.includes(term)]).toEqual([term, false])
  expect(pages[1]).toContain(`Page 2 of ${pages.length}`)
  expect(await page.evaluate('window.stolen')).toBeUndefined()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[data-print-document]').waitFor({ state: 'detached' })
})
