import { type KeyboardEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { ErrorNote, ErrorState, formatNumber, links, SearchField, Skeleton } from '@headwater/web-kit'
import { useSymbolGroups, useTreeSteps, type TreePlace } from '../symbols-client.ts'
import { idOf, placesAround, treeLines, type TreeLine } from '../tree-lines.ts'
import { storageHref, type SymbolSearch } from '../use-storage-state.ts'
import styles from './SymbolTree.module.css'

const allGroups: TreeLine = { id: 'all', level: 1, kind: 'place', label: 'All groups' }

/** The groups that hold symbols, and below each one the values of its keys, one key after the other. */
export function SymbolTree({ search }: { search: SymbolSearch }) {
  const [text, setText] = useState('')
  const groups = useSymbolGroups(text)
  const loaded = groups.rows
  return (
    <nav className={styles.tree} aria-label="Groups with symbols">
      <SearchField label="Search groups" placeholder="Search groups" value={text} onChange={setText} />
      {groups.error ? <ErrorState error={groups.error} onRetry={groups.onRetry} /> : null}
      {loaded === undefined && !groups.error ? <Skeleton lines={6} /> : null}
      {loaded?.length === 0 && text !== '' ? <p className={styles.none}>No group of this name.</p> : null}
      {loaded === undefined || (loaded.length === 0 && text !== '') ? null : (
        <Lines search={search} groups={loaded} first={text === '' ? [allGroups] : []} />
      )}
      {loaded !== undefined && loaded.length < (groups.totalCount ?? 0) ? (
        <button
          type="button"
          className={styles.more}
          onClick={groups.onEndReached}
          disabled={groups.loadingMore}
        >
          More groups
        </button>
      ) : null}
    </nav>
  )
}

function Lines({
  search,
  groups,
  first,
}: {
  search: SymbolSearch
  groups: readonly { groupName: string; symbolCount: number }[]
  first: readonly TreeLine[]
}) {
  const navigate = useNavigate()
  const { open, toggle } = useOpenPlaces(search)
  const steps = useTreeSteps(open)
  const lines = [...first, ...treeLines(groups, new Map(open.map((place, at) => [idOf(place), steps[at]!])))]
  const currentId =
    search.groupName === undefined
      ? allGroups.id
      : idOf({ groupName: search.groupName, branch: search.branch })
  const [focusId, setFocusId] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const isThere = (id: string | undefined) => lines.some((line) => line.id === id)
  const tabId = [focusId, currentId].find(isThere) ?? lines[0]?.id

  const choose = (line: TreeLine) => {
    if (line.kind === 'place') void navigate(hrefOf(line.place, search))
  }
  const focus = (line: TreeLine | undefined) => {
    if (line === undefined) return
    setFocusId(line.id)
    list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(line.id)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const at = lines.findIndex(({ id }) => id === (event.target as HTMLElement).dataset.line)
    const line = lines[at]
    if (line === undefined) return
    const isOpen = line.kind === 'place' ? line.isOpen : undefined
    const act = {
      ArrowDown: () => focus(lines[at + 1]),
      ArrowUp: () => focus(lines[at - 1]),
      Home: () => focus(lines[0]),
      End: () => focus(lines.at(-1)),
      ArrowRight: () => (isOpen === false ? toggle(line, true) : isOpen ? focus(lines[at + 1]) : undefined),
      ArrowLeft: () =>
        isOpen ? toggle(line, false) : focus(lines.slice(0, at).findLast(({ level }) => level < line.level)),
      Enter: () => choose(line),
      ' ': () => choose(line),
    }[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <ul ref={list} className={styles.list} role="tree" aria-label="Symbols by group" onKeyDown={onKeyDown}>
      {lines.map((line) => (
        // The keys are taken by the tree around it.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={line.id}
          className={styles.line}
          style={{ paddingInlineStart: 4 + (line.level - 1) * 14 }}
          role="treeitem"
          aria-level={line.level}
          aria-selected={line.id === currentId}
          aria-expanded={line.kind === 'place' ? line.isOpen : undefined}
          data-line={line.id}
          data-kind={line.kind}
          tabIndex={line.id === tabId ? 0 : -1}
          onFocus={() => setFocusId(line.id)}
          onClick={() => choose(line)}
        >
          <LineContent line={line} onToggle={(isOpen) => toggle(line, isOpen)} />
        </li>
      ))}
    </ul>
  )
}

function LineContent({ line, onToggle }: { line: TreeLine; onToggle: (isOpen: boolean) => void }) {
  if (line.kind === 'wait') return <Skeleton width="60%" />
  if (line.kind === 'error') return <ErrorNote error={line.error} />
  if (line.kind === 'rest') return <span className={styles.rest}>{line.label}</span>
  const { isOpen, label, keyName, count } = line
  return (
    <>
      <span
        className={styles.toggle}
        aria-hidden="true"
        data-open={isOpen || undefined}
        onClick={(event) => {
          if (isOpen === undefined) return
          event.stopPropagation()
          onToggle(!isOpen)
        }}
      >
        {isOpen === undefined ? null : <IconChevronRight size={14} stroke={1.6} />}
      </span>
      <span
        className={styles.label}
        data-none={label === '' || undefined}
        title={keyName === undefined ? label : `${keyName}=${label}`}
      >
        {label === '' ? `no ${keyName}` : label}
      </span>
      {count === undefined ? null : <small>{formatNumber(count)}</small>}
    </>
  )
}

/** Places around the one that is listed are open until somebody closes them. */
function useOpenPlaces({ groupName, branch }: SymbolSearch) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, { place: TreePlace; isOpen: boolean }>>(
    new Map(),
  )
  const places = new Map(
    (groupName === undefined ? [] : placesAround({ groupName, branch })).map((place) => [idOf(place), place]),
  )
  for (const [id, { place, isOpen }] of toggled) {
    if (isOpen) places.set(id, place)
    else places.delete(id)
  }
  return {
    open: [...places.values()],
    toggle: (line: TreeLine, isOpen: boolean) => {
      if (line.kind === 'place' && line.place !== undefined)
        setToggled(new Map(toggled).set(line.id, { place: line.place, isOpen }))
    },
  }
}

/** The list of a place; free text stays, filters of keys belong to one group. */
function hrefOf(place: TreePlace | undefined, search: SymbolSearch): string {
  const isSameGroup = place?.groupName === search.groupName
  return storageHref(links.symbols(place?.groupName), {
    text: search.text,
    branch: place?.branch ?? {},
    filters: isSameGroup ? search.filters : {},
    fileId: undefined,
    sort: isSameGroup ? search.sort : undefined,
  })
}
