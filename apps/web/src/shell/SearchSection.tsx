import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Skeleton } from '@headwater/web-kit'
import styles from './SearchPanel.module.css'

/** One type of object in the search panel, with a link to its list. */
export function SearchSection({
  label,
  allHref,
  waiting,
  waitingRows = 3,
  onOpen,
  children,
}: {
  label: string
  allHref: string | undefined
  waiting: boolean
  /** Number of rows shown while waiting, default 3. */
  waitingRows?: number
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
        ? Array.from({ length: waitingRows }, (_, row) => (
            <div key={row} className={styles.row}>
              <Skeleton width={`${40 + ((row * 16) % 24)}%`} />
            </div>
          ))
        : null}
      {children}
    </section>
  )
}
