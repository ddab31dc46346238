/** Made-up series for the gallery, the same on every run. */

const DAY_MS = 86_400_000

/** Random numbers from 0 to 1 that depend on the seed only (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Prices on the working days from a date on: a random walk around a level, with two decimals. */
export function prices(seed: number, from: string, count: number, level: number, swing = 0.02) {
  const random = randomFrom(seed)
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  let at = Date.parse(from)
  let price = level
  for (let i = 0; i < count; i++) {
    while (new Date(at).getUTCDay() % 6 === 0) at += DAY_MS
    price = Math.max(level * 0.2, price + (random() - 0.5) * 2 * swing * level + (level - price) * 0.01)
    x[i] = at
    y[i] = Math.round(price * 100) / 100
    at += DAY_MS
  }
  return { x, y }
}

/** One value per month. */
export function monthly(seed: number, from: string, count: number, level: number, spread = 1) {
  const random = randomFrom(seed)
  const start = new Date(from)
  const x = Array.from({ length: count }, (_, i) =>
    Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + i, 1),
  )
  return { x, y: x.map(() => Math.round(level * (1 + (random() - 0.5) * spread) * 10) / 10) }
}
