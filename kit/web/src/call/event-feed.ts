import { ApiError } from './api-error.ts'
import { readServerEvents, type ServerEvent } from './server-events.ts'

/** A stream of server-sent events that all tabs of a browser share. */
export interface EventFeed {
  /**
   * Calls `listener` with each event from now on. Returns a function that unsubscribes. The stream is open while there
   * are listeners.
   */
  subscribe(listener: (event: ServerEvent) => void): () => void
}

/** Times of a feed, in milliseconds. */
export interface FeedTimes {
  /** Delay before the stream is reopened; doubled after each failure. */
  retryMs: number
  /** Maximum delay after failures. */
  longestRetryMs: number
  /** Delay after the server has rejected the stream. */
  refusedMs: number
  /** Time without any data after which the stream is reopened. The server sends a comment every 15 s. */
  silenceMs: number
  /** Time for which the stream stays open without listeners, so that it stays open when the page changes. */
  idleMs: number
}

const defaultTimes: FeedTimes = {
  retryMs: 3000,
  longestRetryMs: 60_000,
  refusedMs: 300_000,
  silenceMs: 45_000,
  idleMs: 5000,
}

/** A part of the stream that one tab sends to the others. */
interface FeedMessage {
  id: string | undefined
  events: ServerEvent[]
}

/**
 * Message that a tab sends when it starts to listen. The tab with the stream responds with the id of the last event.
 */
const joined = 'joined'

/**
 * Creates a feed. The tab that holds the lock `name` opens the stream and sends its events to all other tabs with
 * listeners, because a browser opens only six connections to a server. If this tab closes, another one continues after
 * the last event. Browsers offer no locks to pages without TLS; such pages receive no events and poll instead.
 * @param open opens the stream after the event with the given id
 */
export function createEventFeed({
  name,
  open,
  times: given = {},
}: {
  name: string
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>
  times?: Partial<FeedTimes>
}): EventFeed {
  const times = { ...defaultTimes, ...given }
  const listeners = new Set<(event: ServerEvent) => void>()
  let lastId: string | undefined
  let stop: (() => void) | undefined
  let idle: ReturnType<typeof setTimeout> | undefined

  function receive({ id, events }: FeedMessage): void {
    lastId = id ?? lastId
    for (const event of events) for (const listener of listeners) listener(event)
  }

  function start(): () => void {
    if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return () => undefined
    const ending = new AbortController()
    const channel = new BroadcastChannel(name)
    let hasStream = false
    channel.addEventListener('message', ({ data }: MessageEvent<FeedMessage | typeof joined>) => {
      if (data !== joined) receive(data)
      else if (hasStream) channel.postMessage({ id: lastId, events: [] } satisfies FeedMessage)
    })
    channel.postMessage(joined)
    const pass = (message: FeedMessage) => {
      receive(message)
      channel.postMessage(message)
    }
    navigator.locks
      .request(name, { signal: ending.signal }, () => {
        hasStream = true
        return follow(pass, ending.signal)
      })
      // The feed ended before this tab got the lock.
      .catch(() => undefined)
      .finally(() => channel.close())
    return () => ending.abort()
  }

  /** Reads the stream until the tab no longer needs events. Reopens it whenever it ends. */
  async function follow(pass: (message: FeedMessage) => void, ending: AbortSignal): Promise<void> {
    let failures = 0
    while (!ending.aborted) {
      let pauseMs = times.retryMs
      try {
        await readStream(pass, ending)
        failures = 0
      } catch (error) {
        pauseMs = isRefused(error)
          ? times.refusedMs
          : Math.min(times.retryMs * 2 ** failures, times.longestRetryMs)
        failures += 1
      }
      await wait(pauseMs, ending)
    }
  }

  async function readStream(pass: (message: FeedMessage) => void, ending: AbortSignal): Promise<void> {
    const silence = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), times.silenceMs)
    }
    heard()
    try {
      const response = await open(lastId, AbortSignal.any([ending, silence.signal]))
      for await (const message of readServerEvents(response.body!, heard)) pass(message)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    subscribe(listener) {
      clearTimeout(idle)
      listeners.add(listener)
      stop ??= start()
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        idle = setTimeout(() => {
          stop?.()
          stop = undefined
          lastId = undefined
        }, times.idleMs)
      }
    },
  }
}

/** Returns whether the server will also reject the next request, because the user has no access. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
