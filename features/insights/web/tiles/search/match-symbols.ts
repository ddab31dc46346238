import type { AppliedFilter } from './filter-symbols.ts'
import type { MatchNews, MatchQuestion } from './match-symbols.worker.ts'

/** How long filters are tried, in milliseconds. */
const patienceMs = 2000

/** What was found out about symbols. */
export interface Matched {
  /** The places of those that meet the filters. */
  met: number[]
  /** Keys of filters that took too long and were ignored. */
  tooSlow: string[]
}

/**
 * The symbols that meet all filters, tried beside the page so that no pattern can stop it. One that takes longer than two
 * seconds is ignored and told.
 */
export async function matchSymbols(
  symbols: Record<string, string>[],
  filters: readonly AppliedFilter[],
  signal: AbortSignal,
): Promise<Matched> {
  let left = [...filters]
  const tooSlow: string[] = []
  for (;;) {
    const outcome = await tryFilters({ symbols, filters: left }, signal)
    if ('met' in outcome) return { met: outcome.met, tooSlow }
    tooSlow.push(left[outcome.begins]!.key)
    left = left.toSpliced(outcome.begins, 1)
  }
}

/** The answer of a worker, or the filter it was busy with when its time was over. */
function tryFilters(question: MatchQuestion, signal: AbortSignal): Promise<MatchNews> {
  return new Promise<MatchNews>((resolve, reject) => {
    const worker = new Worker(new URL('./match-symbols.worker.ts', import.meta.url), { type: 'module' })
    let begun: MatchNews | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (outcome: MatchNews | Error) => {
      clearTimeout(timer)
      worker.terminate()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    signal.addEventListener('abort', () => end(new Error('Not wanted any more.')), { once: true })
    worker.addEventListener('error', () => end(new Error('The pattern could not be tried. Try again.')))
    worker.addEventListener('message', ({ data }: MessageEvent<MatchNews>) => {
      if ('met' in data) return end(data)
      // Time counts from where the work begins: before that the code of the worker may be on its way.
      if (begun === undefined) timer = setTimeout(() => end(begun!), patienceMs)
      begun = data
    })
    worker.postMessage(question)
  })
}
