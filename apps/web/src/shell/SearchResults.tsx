import { type KeyboardEvent, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { ErrorNote, type SearchProvider, Skeleton, pageSizes } from '@headwater/web-kit'
import { searchProviders } from '../rooms.ts'
import styles from './SearchPanel.module.css'

/** The hits for a text, one block for each kind of thing the user may read. Arrow keys go from hit to hit. */
export function SearchResults({ text, onOpen }: { text: string; onOpen?: () => void }) {
  const can = useCan()
  const box = useRef<HTMLDivElement>(null)
  const blocks = searchProviders.filter(
    ({ access }) => access === undefined || can(access.resource, access.mode, access.parent),
  )
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const hits = [...(box.current?.querySelectorAll<HTMLElement>('a[data-hit]') ?? [])]
    const at = hits.indexOf(document.activeElement as HTMLElement)
    const next = hits[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  if (text === '') {
    const kinds = blocks.map((block) => block.label.toLowerCase()).join(', ')
    return <p className={styles.hint}>Type a name or an id to search in {kinds}.</p>
  }
  return (
    <div ref={box} className={styles.results} onKeyDown={onKeyDown}>
      {blocks.map((block) => (
        <Block key={block.id} block={block} text={text} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Block({ block, text, onOpen }: { block: SearchProvider; text: string; onOpen?: () => void }) {
  const hits = useQuery({
    queryKey: ['search', block.id, text],
    queryFn: ({ signal }) => block.search(text, signal),
  })
  const all = block.seeAllHref?.(text)
  return (
    <section className={styles.block} aria-label={block.label} aria-busy={hits.isPending}>
      <div className={styles.blockHead}>
        <h3 className={styles.blockTitle}>{block.label}</h3>
        {all === undefined ? null : (
          <Link to={all} className={styles.all} onClick={onOpen}>
            See all results
          </Link>
        )}
      </div>
      {hits.isPending
        ? [40, 56, 48].map((width) => (
            <div key={width} className={styles.row}>
              <Skeleton width={`${width}%`} />
            </div>
          ))
        : null}
      {hits.error ? <ErrorNote error={hits.error} /> : null}
      {hits.data?.length === 0 ? <p className={styles.none}>Sorry, nothing found!</p> : null}
      {hits.data?.slice(0, pageSizes.search).map((hit) => (
        <Link key={hit.id} to={hit.href} className={styles.hit} data-hit onClick={onOpen}>
          <span className={styles.hitTitle}>{hit.title}</span>
          {hit.detail === undefined ? null : <span className={styles.hitDetail}>{hit.detail}</span>}
        </Link>
      ))}
    </section>
  )
}
