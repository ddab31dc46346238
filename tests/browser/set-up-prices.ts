import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent, type Tile } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { setUpStage } from './stage.ts'

/** Sets up a user and series with long names and many points, and returns functions for charts and tables of them. */
export function setUpPrices() {
  const stage = setUpStage()

  let anna: Session
  /** A name of 20 characters. */
  const longGroup = 'Prices of the market'

  beforeAll(async () => {
    anna = await stage.server.createUser({ email: 'anna@example.com' })
    for (const name of ['Gas', longGroup, 'Reports']) await anna.call(createGroup, { body: { name } })
    await series(longGroup, `Code,Region,Date,Close\n${days('Brent,EU', 100)}\n${days('WTI,US', 200)}`)
    await series('Gas', `Code,Date,Close\n${days('TTF', 12_345_670)}`)
    await anna.call(createGroup, { body: { name: 'Minutes' } })
    await series('Minutes', `Code,Date,Close\n${minutes().join('\n')}`)
  })

  /** Points of 79 days, one every five minutes, with one peak on the first day. */
  const minuteCount = 22_683
  function minutes(): string[] {
    return Array.from({ length: minuteCount }, (_, at) => {
      const date = new Date(Date.UTC(2026, 0, 1) + at * 300_000).toISOString().slice(0, 19)
      return `LOAD,${date},${at === 100 ? 9999 : 50 + (at % 40)}`
    })
  }

  /** Thirty days of a symbol: a first value that increases by one each day. */
  function days(symbol: string, from: number): string {
    return Array.from(
      { length: 30 },
      (_, day) => `${symbol},2026-01-${String(day + 1).padStart(2, '0')},${from + day + 1}`,
    ).join('\n')
  }

  async function series(groupName: string, content: string): Promise<void> {
    const given = { groupName, fileName: 'prices.csv', fileType: 'NCSV', content }
    expect(await upload(anna, given)).toMatchObject({ status: 'READY' })
  }

  async function makeInsight(insightName: string, tiles: object[], datapreps: object = {}): Promise<void> {
    const content = { ...emptyContent(), tiles, datapreps } as never
    await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
  }

  async function open(insightName: string, options: BrowserContextOptions = {}): Promise<Page> {
    return stage.open(`/Insight/Reports/${encodeURIComponent(insightName)}`, anna, options)
  }

  /** Opens an insight in the builder with a tile selected. */
  async function edit(insightName: string, title: string): Promise<Page> {
    const page = await open(insightName)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('complementary', { name: 'Settings' }).waitFor()
    await tile(page, title).getByRole('heading', { name: title }).click()
    return page
  }

  const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
  const field = (page: Page, label: string) => page.getByRole('tabpanel').getByLabel(label, { exact: true })

  async function stored(page: Page, insightName: string, title?: string): Promise<Tile> {
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const { content } = await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })
    return content.tiles.find((each) => title === undefined || each.title === title)!
  }

  /** Returns the choices of a field and selects one of them. */
  async function choose(control: Locator, option: string): Promise<string[]> {
    await control.click()
    const list = control.page().getByRole('listbox').filter({ visible: true })
    await list.getByRole('option', { name: option, exact: true }).waitFor()
    const all = await list.getByRole('option').allTextContents()
    await list.getByRole('option', { name: option, exact: true }).click()
    return all
  }

  const line = (code: string, more: object = {}) => ({
    label: code,
    groupName: longGroup,
    symbolList: [{ Code: code, Region: code === 'WTI' ? 'US' : 'EU' }],
    column: 'Close',
    ...more,
  })
  const entry = (groupName: string, Code: string, Region?: string) => ({
    groupName,
    symbols: Region === undefined ? { Code } : { Code, Region },
  })
  const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', ...more })
  const typed = (dataContent: string, more: object = {}) => ({
    source: { type: 'EDITOR' },
    dataContent,
    ...more,
  })

  /** The texts of a column of a table, from top to bottom. */
  const cells = (page: Page, title: string, column: number) =>
    tile(page, title).locator(`[data-index] > [role=gridcell]:nth-child(${column})`).allTextContents()
  const cell = (page: Page, title: string, row: number, column: number) =>
    tile(page, title).locator(`[data-index="${row}"] > [role=gridcell]:nth-child(${column})`)
  const css = (locator: Locator, name: string) =>
    locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

  return {
    stage,
    longGroup,
    minuteCount,
    minutes,
    series,
    makeInsight,
    open,
    edit,
    tile,
    tab,
    field,
    stored,
    choose,
    line,
    entry,
    table,
    typed,
    cells,
    cell,
    css,
    anna: () => anna,
  }
}
