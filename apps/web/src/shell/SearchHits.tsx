import { Link } from 'react-router'
import { visibleStatus } from '@headwater/statuses/contract'
import { type RecentHit, StatusBadge } from '@headwater/web-kit'
import styles from './SearchPanel.module.css'

/** Search hits as links. */
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
