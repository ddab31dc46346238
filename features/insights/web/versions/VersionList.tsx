import { Button, ErrorNote, type InfiniteList, Skeleton, Time } from '@headwater/web-kit'
import type { InsightVersion } from '../../contract/index.ts'
import styles from './Versions.module.css'
import { whatChanged } from './what-changed.ts'

/** The versions of an insight, newest first: number, author, time and what changed. */
export function VersionList({
  list,
  chosen,
  onChoose,
}: {
  list: InfiniteList<InsightVersion>
  chosen: number | undefined
  onChoose: (version: number) => void
}) {
  const { rows, totalCount = 0, error, onEndReached, loadingMore } = list
  if (error !== null) return <ErrorNote error={error} />
  if (rows === undefined) return <Skeleton lines={8} />
  return (
    <section data-details>
      <h2 className={styles.heading}>Versions</h2>
      <ol className={styles.list} reversed>
        {rows.map((row) => (
          <li key={row.version}>
            <button
              type="button"
              className={styles.version}
              aria-current={row.version === chosen ? 'true' : undefined}
              onClick={() => onChoose(row.version)}
            >
              <span className={styles.line}>
                <strong>v{row.version}</strong>
                <Time value={row.saved} />
              </span>
              <span className={styles.author}>{row.author}</span>
              <span className={styles.what}>{whatChanged(row)}</span>
            </button>
          </li>
        ))}
      </ol>
      {rows.length < totalCount ? (
        <Button busy={loadingMore} onClick={onEndReached}>
          Older versions
        </Button>
      ) : null}
    </section>
  )
}
