import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorState, loadMoreWithinPx, Skeleton, Spinner } from '@headwater/web-kit'
import type { InfiniteList } from '@headwater/web-kit'
import type { Job } from '../../contract/index.ts'
import styles from './StatusesPanel.module.css'

/** A list of jobs that loads more as the user scrolls. */
export function JobList({
  list,
  none,
  row,
}: {
  list: InfiniteList<Job>
  /** Text for an empty list. */
  none: string
  row: (job: Job) => ReactNode
}) {
  const end = useRef<HTMLDivElement>(null)
  const { onEndReached, rows } = list
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onEndReached()
      },
      { rootMargin: `${loadMoreWithinPx}px`, scrollMargin: `${loadMoreWithinPx}px` },
    )
    if (end.current !== null) observer.observe(end.current)
    return () => observer.disconnect()
  }, [onEndReached])
  return (
    <>
      {list.error ? <ErrorState error={list.error} onRetry={list.onRetry} /> : null}
      {rows === undefined && !list.error ? <Skeleton lines={6} /> : null}
      {rows?.length === 0 ? <p className={styles.none}>{none}</p> : null}
      <ul className={styles.jobs}>{rows?.map(row)}</ul>
      {list.loadingMore ? <Spinner /> : null}
      <div ref={end} />
    </>
  )
}
