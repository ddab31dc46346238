import { Button, ErrorNote, type InfiniteList, Skeleton, Time } from '@headwater/web-kit'
import type { InsightVersion, VersionChanges } from '../../contract/index.ts'
import { partLabel } from './part-label.ts'
import styles from './Versions.module.css'

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

function whatChanged({ changes, readable, tiles, version }: InsightVersion): string {
  if (!readable) return 'The definition cannot be read'
  if (changes === null)
    return version === 1 ? `First version, ${countOf(tiles, 'tile')}` : countOf(tiles, 'tile')
  const words = partsOf(changes)
  return words.length === 0 ? 'Nothing changed' : words.join(', ')
}

function partsOf({ added, removed, changed, reordered, rest }: VersionChanges): string[] {
  const named = (titles: readonly string[], verb: string) =>
    titles.length === 0
      ? []
      : [`${titles.length > 2 ? countOf(titles.length, 'tile') : titles.map(quoted).join(' and ')} ${verb}`]
  return [
    ...named(added, 'added'),
    ...named(changed, 'changed'),
    ...named(removed, 'removed'),
    ...(reordered ? ['another order'] : []),
    ...rest.map((part) => partLabel(part).toLowerCase()),
  ]
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function quoted(title: string): string {
  return `“${title || 'Untitled'}”`
}
