import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Prices as in a daily file: symbols by days, four columns with two to four decimals. Every run creates the same
 * prices.
 */
export interface PriceRows {
  symbolCount: number
  dayCount: number
}

/** Writes the rows as NCSV (with header) or as plain CSV for a COPY. */
export async function writePrices(path: string, rows: PriceRows, header: string): Promise<void> {
  await pipeline(Readable.from(priceLines(rows, header)), createWriteStream(path))
}

function* priceLines({ symbolCount, dayCount }: PriceRows, header: string): Generator<string> {
  if (header !== '') yield `${header}\n`
  const next = createPrices()
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    let block = ''
    for (let day = 0; day < dayCount; day++) {
      const date = new Date(Date.UTC(2000, 0, 1) + day * 86_400_000).toISOString().slice(0, 19)
      block += `SYM${symbol},${date}Z,${next(2)},${next(2)},${next(4)},${next(3)}\n`
    }
    yield block
  }
}

/**
 * Returns a random walk of prices (Park and Miller's generator), as text with this number of decimals. The same seed
 * gives the same walk.
 */
export function createPrices(seed = 42): (decimals: number) => string {
  let state = seed
  let price = 100
  return (decimals) => {
    state = (state * 48_271) % 2_147_483_647
    price = Math.max(1, price + (state / 2_147_483_647 - 0.5))
    return price.toFixed(decimals)
  }
}
