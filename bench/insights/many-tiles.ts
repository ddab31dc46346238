import { join } from 'node:path'
import { minuteMs, symbolName, writeSeriesFile } from '../timeseries/series-data.ts'
import type { Product } from '../timeseries/product.ts'

/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)

/** Number of tiles of the insight. */
export const tileCount = 45
const symbolCount = 20
const pointCount = Math.max(2000, Math.round(500_000 * scale))
const groupName = 'minutely'

/** The created insight. */
export interface ManyTiles {
  /** Path of its page. */
  path: string
  /** Path of its definition in the API. */
  definitionPath: string
  /** Path of the data of its tiles. */
  dataPath: string
  /** Ids of its tiles. */
  tileIds: string[]
}

/** Uploads ten million rows of twenty series, and saves an insight of charts and tables over them. */
export async function makeManyTiles(product: Product, folder: string): Promise<ManyTiles> {
  await product.createGroup(groupName)
  await product.createGroup('reports')
  for (let firstSymbol = 0; firstSymbol < symbolCount; firstSymbol += 5) {
    const path = join(folder, `series-${firstSymbol}.ncsv`)
    await writeSeriesFile(path, {
      prefix: 'M',
      firstSymbol,
      symbolCount: 5,
      pointCount,
      columns: ['Price'],
      stepMs: minuteMs,
    })
    await product.upload(groupName, path)
  }
  const tiles = Array.from({ length: tileCount }, (_, at) => tileAt(at))
  const datapreps = Object.fromEntries(
    tiles.map(({ id }, at) => [id, { symbols: [{ ...symbolsAt(at), valueColumnNames: ['Price'] }] }]),
  )
  await product.post('/insights', {
    insightName: 'Many tiles',
    groupName: 'reports',
    content: { type: 'VISUALISATION', tiles, datapreps },
  })
  const definitionPath = '/insights/reports/Many%20tiles'
  const { id } = JSON.parse(String(await product.get(definitionPath))) as { id: string }
  return {
    path: '/Insight/reports/Many tiles',
    definitionPath,
    dataPath: `/insight/${id}/data`,
    tileIds: tiles.map((tile) => tile.id),
  }
}

function symbolsAt(at: number) {
  return { groupName, symbols: { Code: symbolName('M', at % symbolCount) } }
}

/**
 * Every ninth tile is a table. Every fourth chart shows the maximum number of rows of a tile, the others the last 500.
 */
function tileAt(at: number) {
  const common = {
    id: `t${at}`,
    title: `Tile ${at}`,
    tileWidth: 'half',
    tileHeight: 'quarter',
    ...(at % 4 === 0 ? { range: 'ALL' } : { range: 'LAST', lastType: 'VALUES', lastTypeAmount: 500 }),
  }
  if (at % 9 === 8) return { ...common, type: 'Table', columns: [] }
  const { groupName: group, symbols } = symbolsAt(at)
  const series = {
    label: symbols.Code,
    groupName: group,
    symbolList: [symbols],
    column: 'Price',
    chartType: 'line',
  }
  return { ...common, type: 'Chart', basicChartType: 'composed', series: [series] }
}
