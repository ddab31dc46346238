import type { AppliedFilter } from './filter-symbols.ts'
import { meetsFilters } from './filter-symbols.ts'

/** What the worker is asked: which of these symbols meet all filters. */
export interface MatchQuestion {
  symbols: Record<string, string>[]
  filters: AppliedFilter[]
}

/** What it tells: the filter it begins with, by its place; in the end the places of the symbols that meet all. */
export type MatchNews = { begins: number } | { met: number[] }

// Patterns of users are tried here because a bad one never ends, and this can be ended from outside.
addEventListener('message', ({ data }: MessageEvent<MatchQuestion>) => {
  let met = data.symbols.map((_, place) => place)
  data.filters.forEach((filter, begins) => {
    postMessage({ begins } satisfies MatchNews)
    met = met.filter((place) => meetsFilters(data.symbols[place]!, [filter]))
  })
  postMessage({ met } satisfies MatchNews)
})
