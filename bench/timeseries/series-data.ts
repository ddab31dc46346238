import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The data that all databases load: files with a header, sorted by symbol and time. */
export interface SeriesFile {
  /** Symbols `<prefix><n>` with n from `firstSymbol` on. */
  prefix: string
  firstSymbol: number
  symbolCount: number
  pointCount: number
  /** Names of the value columns: prices in steps of a hundredth, and whole numbers for `Volume`. */
  columns: readonly string[]
  stepMs: number
  /** Added to every value, so that a correction differs from what it corrects. Default 0. */
  shift?: number
}

export const dailyColumns = ['Open', 'High', 'Low', 'Close'] as const
export const minutelyColumns = ['Price', 'Volume'] as const
export const dayMs = 86_400_000
export const minuteMs = 60_000
export const firstMs = Date.UTC(2020, 0, 1)

/** Name of a symbol. */
export function symbolName(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(6, '0')}`
}

/** Writes a file as NCSV; a reader of CSV skips its first line. */
export async function writeSeriesFile(path: string, file: SeriesFile): Promise<void> {
  await pipeline(Readable.from(lines(file)), createWriteStream(path))
}

function* lines(file: SeriesFile): Generator<string> {
  const { prefix, firstSymbol, symbolCount, pointCount, columns, stepMs, shift = 0 } = file
  yield `Code,Date,${columns.join(',')}\n`
  for (let symbol = firstSymbol; symbol < firstSymbol + symbolCount; symbol++) {
    const name = symbolName(prefix, symbol)
    const next = createPrices(symbol + 1, stepMs)
    let block = ''
    for (let point = 0; point < pointCount; point++) {
      const timestamp = new Date(firstMs + point * stepMs).toISOString().slice(0, 19)
      const values = columns.map((column) => (column === 'Volume' ? next.volume() : next.price(shift)))
      block += `${name},${timestamp}Z,${values.join(',')}\n`
      if (block.length > 1_000_000) {
        yield block
        block = ''
      }
    }
    yield block
  }
}

/**
 * Returns a random walk of prices (Park and Miller's generator): about one percent between days, some hundredths
 * between minutes. The same seed gives the same walk.
 */
function createPrices(seed: number, stepMs: number): { price(shift: number): string; volume(): string } {
  let state = (seed * 16_807) % 2_147_483_647 || 1
  let price = 20 + (seed % 180)
  const largestMove = stepMs >= dayMs ? 0.01 : 0.0003
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    price(shift) {
      price = Math.max(1, price * (1 + (next() - 0.5) * 2 * largestMove))
      return (price + shift).toFixed(2)
    },
    volume: () => String(Math.floor(next() * next() * 1000)),
  }
}
