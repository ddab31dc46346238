import { type KeyboardEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { ErrorNote, ErrorState, formatNumber, links, SearchField, Skeleton } from '@headwater/web-kit'
import { useSymbolGroups, useTreeSteps, type TreeNode } from '../symbols-client.ts'
import { idOf, pathTo, treeLines, type TreeLine } from '../tree-lines.ts'
import { storageHref, type SymbolSearch } from '../use-storage-state.ts'
import styles from './SymbolTree.module.css'

const allGroups: TreeLine = { id: 'all', level: 1, kind: 'node', label: 'All groups' }

/** Tree of the groups that contain symbols. Below each group are the values of its keys, one key per level. */
export function SymbolTree({ search }: { search: SymbolSearch }) {
  const [text, setText] = useState('')
  const groups = useSymbolGroups(text)
  const loaded = groups.rows
  return (
    <nav className={styles.tree} aria-label="Groups with symbols">
      <SearchField label="Search groups" placeholder="Search groups" value={text} onChange={setText} />
      {groups.error ? <ErrorState error={groups.error} onRetry={groups.onRetry} /> : null}
      {loaded === undefined && !groups.error ? <Skeleton lines={6} /> : null}
      {loaded?.length === 0 && text !== '' ? <p className={styles.none}>No group matches.</p> : null}
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
  const { open, toggle } = useOpenNodes(search)
  const steps = useTreeSteps(open)
  const lines = [...first, ...treeLines(groups, new Map(open.map((node, at) => [idOf(node), steps[at]!])))]
  const currentId =
    search.groupName === undefined
      ? allGroups.id
      : idOf({ groupName: search.groupName, branch: search.branch })
  const [focusId, setFocusId] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const isThere = (id: string | undefined) => lines.some((line) => line.id === id)
  const tabId = [focusId, currentId].find(isThere) ?? lines[0]?.id

  const choose = (line: TreeLine) => {
    if (line.kind === 'node') void navigate(hrefOf(line.node, search))
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
    const isOpen = line.kind === 'node' ? line.isOpen : undefined
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
        // The tree around it handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={line.id}
          className={styles.line}
          style={{ paddingInlineStart: 4 + (line.level - 1) * 14 }}
          role="treeitem"
          aria-level={line.level}
          aria-selected={line.id === currentId}
          aria-expanded={line.kind === 'node' ? line.isOpen : undefined}
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

/** Returns the open nodes. Ancestors of the listed node are open until the user closes them. */
function useOpenNodes({ groupName, branch }: SymbolSearch) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, { node: TreeNode; isOpen: boolean }>>(new Map())
  const nodes = new Map(
    (groupName === undefined ? [] : pathTo({ groupName, branch })).map((node) => [idOf(node), node]),
  )
  for (const [id, { node, isOpen }] of toggled) {
    if (isOpen) nodes.set(id, node)
    else nodes.delete(id)
  }
  return {
    open: [...nodes.values()],
    toggle: (line: TreeLine, isOpen: boolean) => {
      if (line.kind === 'node' && line.node !== undefined)
        setToggled(new Map(toggled).set(line.id, { node: line.node, isOpen }))
    },
  }
}

/** Returns the URL of the list of a node. It keeps free text, and key filters within the same group. */
function hrefOf(node: TreeNode | undefined, search: SymbolSearch): string {
  const isSameGroup = node?.groupName === search.groupName
  return storageHref(links.symbols(node?.groupName), {
    text: search.text,
    branch: node?.branch ?? {},
    filters: isSameGroup ? search.filters : {},
    fileId: undefined,
    sort: isSameGroup ? search.sort : undefined,
  })
}
