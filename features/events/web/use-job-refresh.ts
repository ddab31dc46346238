import { useEffect, useRef } from 'react'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSession } from '@headwater/accounts/web'
import { isLimited } from '@headwater/web-kit'
import { subscribeToJobs } from './job-events.ts'

/** Default minimum time between two refreshes, in milliseconds. */
const defaultGapMs = 500

/**
 * Refreshes data about jobs when a job changes, in addition to polling. Does nothing while the API is rate-limited or the page
 * is hidden.
 * @param changes.type relevant kind of change: statuses or new log lines
 * @param changes.jobId relevant job; undefined for all jobs
 * @param changes.enabled whether to refresh now
 * @param changes.gapMs minimum time between two refreshes, in milliseconds; a change during this time causes a refresh at its
 * end. Default 500.
 */
export function useJobRefresh(
  changes: {
    type: 'status' | 'log'
    jobId?: string | undefined
    enabled: boolean
    gapMs?: number | undefined
  },
  refresh: () => unknown,
): void {
  const { type, jobId, enabled, gapMs = defaultGapMs } = changes
  const { userName } = useSession()
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  })
  useEffect(() => {
    if (!enabled) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasChanged = false
    const run = () => {
      hasChanged = false
      timer = setTimeout(() => {
        timer = undefined
        if (hasChanged) run()
      }, gapMs)
      if (!isLimited() && document.visibilityState === 'visible') void latest.current()
    }
    const unsubscribe = subscribeToJobs((event) => {
      if (event.type !== 'reset' && (event.type !== type || (jobId !== undefined && event.jobId !== jobId)))
        return
      if (timer === undefined) run()
      else hasChanged = true
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [userName, type, jobId, enabled, gapMs])
}

/**
 * Refetches a query when a job changes, in addition to polling. A fetch in progress can be older than the change, so another one
 * follows it; it is not cancelled, because frequent changes would cancel every fetch.
 * @param changes as in {@link useJobRefresh}
 */
export function useJobRefetch(changes: Parameters<typeof useJobRefresh>[0], queryKey: QueryKey): void {
  const cache = useQueryClient()
  useJobRefresh(changes, async () => {
    const filter = { queryKey, exact: true, type: 'active' } as const
    const isOlder = cache.isFetching(filter) > 0
    await cache.refetchQueries(filter, { cancelRefetch: false })
    if (isOlder) await cache.refetchQueries(filter, { cancelRefetch: false })
  })
}
