import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { visibleStatus } from '@headwater/statuses/contract'
import { type RecentHit, Skeleton, StatusBadge } from '@headwater/web-kit'
import styles from './SearchPanel.module.css'

/** One type of object in the search panel, with a link to its list. */
export function SearchSection({
  label,
  allHref,
  waiting,
  onOpen,
  children,
}: {
  label: string
  allHref: string | undefined
  waiting: boolean
  onOpen: (() => void) | undefined
  children: ReactNode
}) {
  return (
    <section className={styles.block} aria-label={label} aria-busy={waiting}>
      <div className={styles.blockHead}>
        <h3 className={styles.blockTitle}>{label}</h3>
        {allHref === undefined ? null : (
          <Link to={allHref} className={styles.all} onClick={onOpen}>
            See all results
          </Link>
        )}
      </div>
      {waiting
        ? [40, 56, 48].map((width) => (
            <div key={width} className={styles.row}>
              <Skeleton width={`${width}%`} />
            </div>
          ))
        : null}
      {children}
    </section>
  )
}

/** Matches as links. */
export function SearchHits({
  hits,
  onOpen,
}: {
  hits: readonly RecentHit[]
  onOpen: (() => void) | undefined
}) {
  return hits.map(({ id, title, detail, href, latestStatus }) => (
    <Link key={id} to={href} className={styles.hit} data-hit onClick={onOpen}>
      {latestStatus === undefined ? null : (
        <span className={styles.status}>
          <StatusBadge
            status={visibleStatus(latestStatus)}
            text={latestStatus.message || undefined}
            iconOnly
          />
        </span>
      )}
      <span className={styles.hitTitle}>{title}</span>
      {detail === undefined ? null : <span className={styles.hitDetail}>{detail}</span>}
    </Link>
  ))
}
