import { type ReactNode, createContext, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from '../call/store.ts'
import {
  HistoryEntryContext,
  useHistoryEntry,
  useIsScrolledBack,
  useScrollRestoration,
} from '../ui/scroll-restoration.ts'
import styles from './Page.module.css'

/** The elements of the header bar that screens fill. The shell provides them. */
export interface HeaderSlots {
  /** Element beside the breadcrumbs. */
  note: HTMLElement | null
  /** Element for buttons at the right end. */
  actions: HTMLElement | null
}

/** The elements of the header; null on pages without a header. */
export const HeaderSlotsContext = createContext<HeaderSlots>({ note: null, actions: null })

/** Title of a screen. It replaces the text of the last breadcrumb if the URL is not clear enough. */
const screenTitle = createStore<string | undefined>(undefined)

/** Names that precede the product name in the document title, most specific first; empty on pages without a name. */
export const pageNames = createStore<readonly string[]>([])

/** Returns the title of the current screen, and renders again when it changes. */
export function useScreenTitle(): string | undefined {
  return useStore(screenTitle)
}

/** Properties of {@link PageHeader}. */
export interface PageHeaderProps {
  /** Replaces the text of the last breadcrumb and the document title. */
  title?: string
  /** Small text beside the breadcrumbs, for example `editing · v17`. */
  note?: ReactNode
  /** The buttons at the right end, the main one last. */
  actions?: ReactNode
}

/** Fills the header bar of the shell. The breadcrumbs come from the URL. */
export function PageHeader({ title, note, actions }: PageHeaderProps) {
  const slots = useContext(HeaderSlotsContext)
  useEffect(() => {
    screenTitle.set(title)
    return () => screenTitle.set(undefined)
  }, [title])
  return (
    <>
      {slots.note && note !== undefined ? createPortal(note, slots.note) : null}
      {slots.actions && actions !== undefined ? createPortal(actions, slots.actions) : null}
    </>
  )
}

/** Properties of {@link Page}. */
export interface PageProps {
  /** Content. */
  children: ReactNode
  /** Removes the padding. With `canvas`, toasts do not change the size of the content. */
  flush?: boolean | 'canvas'
  /** A panel on the right, 280 px wide. */
  aside?: ReactNode
  /** Accessible name of the panel; default Details. */
  asideLabel?: string
  /** Id of the object in the panel. When it changes, the panel scrolls to its top. */
  asideId?: string | undefined
  /** Called when the user clicks the page itself, or an element with `data-background`. */
  onBackground?: () => void
}

/** The content of a screen: a padded column as high as the window, so that tables scroll inside it. */
export function Page({ children, flush, aside, asideLabel = 'Details', asideId, onBackground }: PageProps) {
  const entry = useHistoryEntry()
  const page = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  // In a narrow window the page scrolls as a whole.
  useScrollRestoration(page, 'page', entry)
  useScrollRestoration(column, 'content', entry)
  return (
    <HistoryEntryContext value={entry}>
      <div ref={page} className={styles.page}>
        <div
          ref={column}
          className={styles.content}
          data-flush={flush || undefined}
          data-background
          onClick={({ target }) => {
            if (target instanceof Element && target.hasAttribute('data-background')) onBackground?.()
          }}
        >
          {children}
        </div>
        {aside === undefined || aside === null ? null : (
          <aside key={asideId} className={styles.aside} aria-label={asideLabel} data-page-aside>
            {aside}
          </aside>
        )}
      </div>
    </HistoryEntryContext>
  )
}

/** Returns whether the user went back to this page. If so, its scroll position is restored automatically. */
export function useIsPageScrolledBack(): boolean {
  const [isPage, isColumn] = [useIsScrolledBack('page'), useIsScrolledBack('content')]
  return isPage || isColumn
}

/** The row above a list: tabs on the left, search on the right. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>
}
