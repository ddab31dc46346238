import type { Matched, MatchRequest } from './match-symbols.worker.ts'

/** How long filters are tried, in milliseconds. */
const limitMs = 10_000

/**
 * The symbols that meet all filters. A worker tries them: many symbols take a while, and the page stays usable meanwhile.
 * @throws Error when the worker cannot run, takes longer than 10 s, or `signal` ends it
 */
export function matchSymbols(request: MatchRequest, signal: AbortSignal): Promise<Matched> {
  return new Promise<Matched>((resolve, reject) => {
    const worker = new Worker(new URL('./match-symbols.worker.ts', import.meta.url), { type: 'module' })
    const timer = setTimeout(() => end(new Error(tooSlow)), limitMs)
    const end = (outcome: Matched | Error) => {
      clearTimeout(timer)
      worker.terminate()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    signal.addEventListener('abort', () => end(new Error('Not wanted any more.')), { once: true })
    worker.addEventListener('error', () => end(new Error('The pattern could not be tried. Try again.')))
    worker.addEventListener('message', ({ data }: MessageEvent<Matched>) => end(data))
    worker.postMessage(request)
  })
}

const tooSlow = 'This search takes too long. Use a simpler pattern.'
