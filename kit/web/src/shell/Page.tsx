import { type ReactNode, createContext, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from '../call/store.ts'
import { HistoryPlaceContext, useHistoryPlace, useIsScrolledBack, useKeptScroll } from '../ui/kept-scroll.ts'
import styles from './Page.module.css'

/** The places in the header bar that a screen fills; the shell provides them. */
export interface HeaderSlots {
  note: HTMLElement | null
  actions: HTMLElement | null
}

/** The header's places, or null where there is no header. */
export const HeaderSlotsContext = createContext<HeaderSlots>({ note: null, actions: null })

/** What a screen says about itself: the text of the last breadcrumb, when the URL does not tell it well enough. */
export const screenTitle = createStore<string | undefined>(undefined)

/** The title the present screen gave itself, watched. */
export function useScreenTitle(): string | undefined {
  return useStore(screenTitle)
}

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

export interface PageProps {
  children: ReactNode
  /** No padding, for canvases. */
  flush?: boolean
  /** A panel of 280 px at the right. */
  aside?: ReactNode
  /** Accessible name of the panel; default Details. */
  asideLabel?: string
  /** A click beside everything: on the page itself, or on what is marked with `data-background`. */
  onBackground?: () => void
}

/** The content of a screen: a padded column that is as high as the window, so that tables scroll inside it. */
export function Page({ children, flush, aside, asideLabel = 'Details', onBackground }: PageProps) {
  const place = useHistoryPlace()
  const page = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  // In a narrow window the page scrolls as a whole.
  useKeptScroll(page, 'page', place)
  useKeptScroll(column, 'content', place)
  return (
    <HistoryPlaceContext value={place}>
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
          <aside className={styles.aside} aria-label={asideLabel} data-page-aside>
            {aside}
          </aside>
        )}
      </div>
    </HistoryPlaceContext>
  )
}

/** Whether the page came with a return to where it was scrolled, and is scrolled there by itself. */
export function useIsPageScrolledBack(): boolean {
  const [isPage, isColumn] = [useIsScrolledBack('page'), useIsScrolledBack('content')]
  return isPage || isColumn
}

/** The row above a list: tabs at the left, search at the right. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>
}
