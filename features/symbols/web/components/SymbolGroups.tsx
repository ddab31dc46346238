import { useState } from 'react'
import { Link } from 'react-router'
import { ErrorState, SearchField, Skeleton } from '@headwater/web-kit'
import { useSymbolGroups } from '../symbols-client.ts'
import { groupHref } from '../use-storage-state.ts'
import styles from './SymbolGroups.module.css'

/** The groups that hold symbols, beside the list of symbols. */
export function SymbolGroups({ current, text }: { current: string | undefined; text: string }) {
  const [search, setSearch] = useState('')
  const { rows, totalCount = 0, error, onRetry, onEndReached, loadingMore } = useSymbolGroups(search)
  return (
    <nav className={styles.groups} aria-label="Groups with symbols">
      <SearchField label="Search groups" placeholder="Search groups" value={search} onChange={setSearch} />
      {error ? <ErrorState error={error} onRetry={onRetry} /> : null}
      {rows === undefined && !error ? <Skeleton lines={6} /> : null}
      {rows === undefined ? null : (
        <ul className={styles.list}>
          {search === '' ? (
            <li>
              <Link to={groupHref(undefined, text)} aria-current={current === undefined ? 'page' : undefined}>
                <span>All groups</span>
              </Link>
            </li>
          ) : null}
          {rows.map(({ groupName, symbolCount }) => (
            <li key={groupName}>
              <Link to={groupHref(groupName, text)} aria-current={current === groupName ? 'page' : undefined}>
                <span title={groupName}>{groupName}</span>
                <small>{symbolCount.toLocaleString('en')}</small>
              </Link>
            </li>
          ))}
          {rows.length === 0 && search !== '' ? (
            <li className={styles.none}>No group of this name.</li>
          ) : null}
          {rows.length < totalCount ? (
            <li>
              <button type="button" onClick={onEndReached} disabled={loadingMore}>
                More groups
              </button>
            </li>
          ) : null}
        </ul>
      )}
    </nav>
  )
}
