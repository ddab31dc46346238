import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Skeleton } from '@headwater/web-kit'
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
