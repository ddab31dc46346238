import { useEffect, useRef } from 'react'
import { ApiError } from './api-error.ts'

/** Delay before the first check whether the server responds again, in milliseconds; doubled after each check. */
const firstDelayMs = 3000
const longestDelayMs = 60_000
/** Time without a check after which the next delay is `firstDelayMs` again, in milliseconds. */
const calmMs = 2 * longestDelayMs

/** Retries after an outage of the server or the network. */
export interface OutageRetries {
  /** Calls `retry` once when the server responds again. Returns a function that cancels it. */
  add(retry: () => void): () => void
  /** Checks soon. Called when the browser is online again or the page is visible again. */
  hurry(): void
}

/**
 * Waits until the server responds, and then calls all retries. Each page checks this with one small request at random times,
 * so that a server that has just started is not flooded.
 */
export function createOutageRetries({
  isReachable,
  nowMs = () => Date.now(),
  random = Math.random,
}: {
  /** Returns whether the server responds. */
  isReachable: () => Promise<boolean>
  nowMs?: () => number
  /** Returns a number from 0 to 1. */
  random?: () => number
}): OutageRetries {
  const waiting = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let checks = 0
  let lastCheckMs = -Infinity

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), delayMs * (0.5 + random()))
  }
  function scheduleNext(): void {
    if (nowMs() - lastCheckMs > calmMs) checks = 0
    schedule(Math.min(firstDelayMs * 2 ** checks, longestDelayMs))
  }
  async function check(): Promise<void> {
    if (waiting.size > 0) {
      checks += 1
      lastCheckMs = nowMs()
      if (await isReachable()) {
        const retries = [...waiting]
        waiting.clear()
        for (const retry of retries) retry()
      }
    }
    clearTimeout(timer)
    timer = undefined
    if (waiting.size > 0) scheduleNext()
  }

  return {
    add(retry) {
      // A separate entry, because two parts of a page can pass the same function.
      const entry = () => retry()
      waiting.add(entry)
      if (timer === undefined) scheduleNext()
      return () => waiting.delete(entry)
    },
    hurry() {
      if (waiting.size > 0) schedule(firstDelayMs / 3)
    },
  }
}

/** Returns whether an error means that the server cannot be reached or is not ready, so that a later attempt can succeed. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.isOffline || [502, 503, 504].includes(error.status))
}

async function isServerReachable(): Promise<boolean> {
  if (document.visibilityState === 'hidden') return false
  try {
    return (await fetch('/health', { credentials: 'omit', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

let retries: OutageRetries | undefined

function sharedRetries(): OutageRetries {
  if (retries === undefined) {
    const created = createOutageRetries({ isReachable: isServerReachable })
    retries = created
    window.addEventListener('online', () => created.hurry())
    document.addEventListener('visibilitychange', () => created.hurry())
  }
  return retries
}

/** Calls `retry` when the server responds again after an error that was an outage. Does nothing after other errors. */
export function useRetryAfterOutage(error: unknown, retry: (() => void) | undefined): void {
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  const canRetry = retry !== undefined && isOutage(error)
  useEffect(() => (canRetry ? sharedRetries().add(() => latest.current?.()) : undefined), [error, canRetry])
}
