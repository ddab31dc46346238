import { type KeyboardEvent, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import { ErrorNote, nothingFoundText, pageSizes, type SearchProvider } from '@headwater/web-kit'
import { searchProviders } from '../features.ts'
import { SearchHits } from './SearchHits.tsx'
import { SearchSection } from './SearchSection.tsx'
import { SearchRecents } from './SearchRecents.tsx'
import styles from './SearchPanel.module.css'

/** The hits for a search text, one block for each type of object that the user can read. Arrow keys go from hit to hit. */
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
  const kinds = blocks.map((block) => block.label.toLowerCase()).join(', ')
  return (
    <div ref={box} className={styles.results} onKeyDown={onKeyDown}>
      {text === '' ? (
        <>
          <p className={styles.hint}>Type a name or an id to search in {kinds}.</p>
          <SearchRecents blocks={blocks} onOpen={onOpen} />
        </>
      ) : (
        blocks.map((block) => <Block key={block.id} block={block} text={text} onOpen={onOpen} />)
      )}
    </div>
  )
}

function Block({ block, text, onOpen }: { block: SearchProvider; text: string; onOpen?: () => void }) {
  const hits = useQuery({
    queryKey: ['search', block.id, text],
    queryFn: ({ signal }) => block.search(text, signal),
  })
  return (
    <SearchSection
      label={block.label}
      allHref={block.seeAllHref?.(text)}
      waiting={hits.isPending}
      onOpen={onOpen}
    >
      {hits.error ? <ErrorNote error={hits.error} /> : null}
      {hits.data?.length === 0 ? <p className={styles.none}>{nothingFoundText}</p> : null}
      <SearchHits hits={hits.data?.slice(0, pageSizes.search) ?? []} onOpen={onOpen} />
    </SearchSection>
  )
}
