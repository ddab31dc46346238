import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { setUpStage } from './stage.ts'

/** Sets up two users, prices, a file with a table and a data prep, and returns functions for insights with them. */
export function setUpTables() {
  const stage = setUpStage()

  let anna: Session
  let ben: Session
  /** Id of the data prep Both. */
  let bothId: string

  beforeAll(async () => {
    anna = await stage.server.createUser({ email: 'anna@example.com' })
    ben = await stage.server.createUser({ email: 'ben@example.com' })
    for (const name of ['Prices', 'Reports', 'Tables']) await anna.call(createGroup, { body: { name } })
    await series('Prices', 'prices.csv', pricesFile())
    await table(
      'regions.csv',
      'Region;City;Share;From\nNorth;Oslo;40;2026-01-05\nNorth;Bergen;10;2026-02-05\nSouth;Rome;50;2026-03-05\n',
    )
    bothId = await prep('Both', [
      { groupName: 'Prices', symbols: { Code: 'Brent', Region: 'EU' }, valueColumnNames: ['Close'] },
      { groupName: 'Prices', symbols: { Code: 'WTI', Region: 'US' }, valueColumnNames: ['Close'] },
    ])
  })

  /** Ten days of three symbols: 100 + day, 200 + day, 300 + day. */
  function pricesFile(): string {
    const symbols = ['Brent,EU,oil', 'WTI,US,oil', 'Gas,EU,gas']
    const lines = symbols.flatMap((symbol, at) =>
      Array.from({ length: 10 }, (_, day) => {
        const [code, region, kind] = symbol.split(',')
        const date = `2026-01-${String(day + 1).padStart(2, '0')}`
        return `${code},${region},${date},${100 * (at + 1) + day + 1},${kind}`
      }),
    )
    return ['Code,Region,Date,Close,Kind(MD-S)', ...lines].join('\n')
  }

  async function series(groupName: string, fileName: string, content: string): Promise<void> {
    expect(await upload(anna, { groupName, fileName, fileType: 'NCSV', content })).toMatchObject({
      status: 'READY',
    })
  }

  async function table(fileName: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await upload(anna, { groupName: 'Tables', fileName, fileType: 'SOURCE', content })
  }

  async function prep(name: string, symbols: object[], more: object = {}): Promise<string> {
    const dataPrep = { name, outputGroup: 'Reports', range: 'LAST', lastTypeAmount: 3, symbols, ...more }
    return (await anna.call(createDataPrep, { body: { dataPrep } as never })).id
  }

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

  const insightPath = (name: string, search = '') => `/Insight/Reports/${encodeURIComponent(name)}${search}`
  const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
  const contentOf = async (insightName: string) =>
    (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content

  /** A column of the rows of a table tile. */
  async function column(page: Page, title: string, index: number): Promise<string[]> {
    const rows = await tile(page, title).getByRole('row').all()
    const cells = await Promise.all(
      rows.map((row) => row.locator('[role=cell], [role=gridcell]').allTextContents()),
    )
    return cells.flatMap((row) => (row[index] === undefined ? [] : [row[index]]))
  }

  async function choose(field: Locator, option: string): Promise<void> {
    await field.click()
    await field.page().getByRole('option', { name: option, exact: true }).click()
  }

  const tableTile = (title: string, more: object = {}) => ({
    id: title,
    title,
    type: 'Table',
    tileWidth: 'half',
    ...more,
  })
  const own = (...codes: string[]) => ({
    symbols: codes.map((Code) => ({
      groupName: 'Prices',
      symbols: { Code, Region: Code === 'WTI' ? 'US' : 'EU' },
      valueColumnNames: ['Close'],
    })),
  })

  const keys = (...given: object[]) => ({ basicInputParamsType: 'TS', groupName: 'Prices', keys: given })
  const region = { symbolKey: 'Region', symbolType: 'SYMBOL', label: 'Area', defaultValue: 'EU' }
  const product = { symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Brent' }
  const panelOf = (page: Page, name: 'Parameters' | 'Basket' | 'Settings') =>
    page.getByRole('complementary', { name })
  const form = (page: Page, title: string) => page.getByRole('form', { name: title })

  return {
    stage,
    series,
    table,
    prep,
    makeInsight,
    open,
    insightPath,
    tile,
    contentOf,
    column,
    choose,
    tableTile,
    own,
    keys,
    region,
    product,
    panelOf,
    form,
    anna: () => anna,
    ben: () => ben,
    bothId: () => bothId,
  }
}
