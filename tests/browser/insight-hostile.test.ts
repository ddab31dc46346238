import type { Page, Request } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, responsesProcessed, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports', 'Pictures']) await anna.call(createGroup, { body: { name } })
})

async function make(insightName: string, tiles: object[]): Promise<void> {
  const content = { ...emptyContent(), tiles } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

async function open(insightName: string, tiles: object[]): Promise<Page> {
  await make(insightName, tiles)
  return stage.open(`/Insight/Reports/${encodeURIComponent(insightName)}`, anna)
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

test('IN-229 matches a search pattern that would hang other matchers, and ignores an unsupported one with a hint', async () => {
  const content = `Code,Region,Date,Close\n${'a'.repeat(100)}!,EU,2026-01-01,1\nBrent,EU,2026-01-01,2\nWTI,US,2026-01-01,3\n`
  const file = { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content }
  expect(await upload(anna, file)).toMatchObject({ status: 'READY' })
  const page = await open('Patterns', [
    {
      id: 'q',
      type: 'SEARCH',
      title: 'Find',
      groupNames: ['Prices'],
      filters: [
        { filterKey: 'Code', label: '', defaultValue: '(a+)+$' },
        { filterKey: 'Region', label: '', defaultValue: '^(EU)$' },
      ],
    },
  ])
  const result = tile(page, 'Find')
  await result.getByText('0 symbols').waitFor()
  await result.getByRole('searchbox', { name: 'Code' }).fill('^(a+)+!$')
  await result.getByText('1 symbol', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await result.getByRole('searchbox', { name: 'Code' }).fill('a(?=!)')
  await result.getByText('Patterns with look-ahead or look-behind').waitFor()
  await result.getByText('2 symbols').waitFor()
  await result.getByRole('searchbox', { name: 'Code' }).fill('^b.*t$')
  await result.getByText('1 symbol', { exact: true }).waitFor()
  await expect.poll(() => result.getByText('are ignored').count()).toBe(0)
  await result.getByRole('searchbox', { name: 'Code' }).fill('(')
  await result.getByText('This is not a valid pattern and is ignored.').waitFor()
  await result.getByText('2 symbols').waitFor()
})

test('a search that takes longer than ten seconds ends with a message', async () => {
  const filters = [{ filterKey: 'Code', label: '', defaultValue: '' }]
  await make('Slow', [{ id: 'q', type: 'SEARCH', title: 'Find', groupNames: ['Prices'], filters }])
  const page = await stage.newPage()
  await page.clock.install()
  const searches: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes('/ts/symbol/search')) searches.push(request)
  })
  // A worker whose code never arrives responds as late as a busy one.
  let hasBegun = false
  await page.route('**/match-symbols.worker*', () => {
    hasBegun = true
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Slow')
  await tile(page, 'Find')
    .getByText(/^\d+ symbols?$/)
    .waitFor()
  await stopClock(page)
  await page.clock.runFor(3000)
  await tile(page, 'Find').getByRole('searchbox', { name: 'Code' }).fill('^(a+)+$')
  await pollClock(page, 100, () => hasBegun).toBe(true)
  const now = () => page.evaluate('Date.now()') as Promise<number>
  const begun = await now()
  // The refresh of the symbols after ten seconds does not begin the search again.
  const earlier = searches.length
  await pollClock(page, 200, () => searches.length).toBe(earlier + 1)
  await (await searches.at(-1)!.response())!.finished()
  await responsesProcessed(page)
  const message = tile(page, 'Find').getByText('This search takes too long. Use a simpler pattern.')
  await pollClock(page, 200, () => message.count()).toBe(1)
  expect((await now()) - begun).toBeLessThan(11_000)
})

test('reports an image with endless references instead of drawing it; draws ordinary references', async () => {
  const svg = (levels: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><style>.a{fill:red}</style><defs><g id="g0"><rect class="a" style="stroke:blue" width="1" height="1"/></g>${Array.from(
      { length: levels },
      (_, at) => `<g id="g${at + 1}">${`<use xlink:href="#g${at}"/>`.repeat(10)}</g>`,
    ).join('')}</defs><use xlink:href="#g${levels}"/></svg>`
  const files = {
    'bomb.svg': svg(9),
    'fine.svg': svg(2),
  }
  for (const [fileName, content] of Object.entries(files))
    await upload(anna, { groupName: 'Pictures', fileName, fileType: 'IMAGE', content })
  const image = (title: string, fileName: string) => ({
    id: title,
    type: 'IMAGE',
    title,
    tileWidth: 'half',
    source: { type: 'FILE', value: { groupName: 'Pictures', fileName } },
  })
  const page = await open('Pictures', [image('Bomb', 'bomb.svg'), image('Fine', 'fine.svg')])
  await tile(page, 'Bomb').getByText('This image takes too long to draw').waitFor()
  await expect
    .poll(() =>
      tile(page, 'Fine')
        .getByRole('img', { name: 'Fine' })
        .evaluate((element) => (element as HTMLImageElement).naturalWidth),
    )
    .toBe(100)
  expect(await accessibilityProblems(page)).toEqual([])
})

const text = (title: string, templateContent: string) => ({
  id: title,
  type: 'Text',
  title,
  tileWidth: 'half',
  source: { type: 'EDITOR' },
  templateContent,
})

test('renders long but simple Markdown', async () => {
  // The long text is parsed while the clock is stopped, so that a busy machine does not exceed the time limit.
  await make('Long text', [
    text('Long', `# A long text\n\n${'Words **and** words.\n\n'.repeat(1000)}\n\nThe end.`),
  ])
  const page = await stage.newPage()
  await page.clock.install()
  const parsing = Promise.withResolvers<void>()
  await page.route('**/markdown.worker*', async (route) => {
    await parsing.promise
    await route.continue()
  })
  const requested = page.waitForRequest('**/markdown.worker*')
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Long%20text')
  await requested
  await stopClock(page)
  parsing.resolve()
  await tile(page, 'Long').getByRole('heading', { name: 'A long text' }).waitFor()
  await tile(page, 'Long').getByText('The end.').waitFor()
})

test('shows the source of Markdown that takes too long to render', async () => {
  const bomb = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
  const page = await open('Texts', [
    text('Links', '[a]('.repeat(60_000)),
    text('Signs', '*a_'.repeat(30_000)),
    text('Lists', Array.from({ length: 1000 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')),
    text('Quotes', '> '.repeat(900)),
    text('Short', `*Short* ![dot](${bomb})`),
  ])
  for (const title of ['Signs', 'Lists', 'Quotes'])
    await tile(page, title).getByText('This text takes too long to render as Markdown').waitFor()
  await tile(page, 'Short').getByText('Short', { exact: true }).last().waitFor()
  expect(await tile(page, 'Short').getByAltText('dot').getAttribute('src')).toBeNull()
  await expect.poll(() => tile(page, 'Links').getByRole('group').textContent()).toContain('[a]([a](')
  expect(await accessibilityProblems(page)).toEqual([])
})
