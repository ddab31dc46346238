import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { formatNumber } from '@headwater/contract'
import { sameName } from '../routes/route-names.ts'
import { useFocusOnTab } from './focus-back.ts'
import styles from './Tabs.module.css'

/** A tab that the hash of the URL selects. */
export interface HashTab {
  /** The hash without #; matched regardless of case. */
  hash: string
  /** Label of the tab. */
  label: string
  /** Number beside the label. */
  count?: number
}

/** Properties of {@link HashTabs}. */
export interface HashTabsProps {
  /** Accessible name. */
  label: string
  /** Tabs from left to right. */
  tabs: readonly HashTab[]
}

/** Returns the tab in the hash of the URL, or the first tab if the hash is no tab. */
export function useHashTab(tabs: readonly HashTab[]): string {
  const hash = useLocation().hash.replace(/^#/, '')
  return (tabs.find((tab) => sameName(hash, tab.hash)) ?? tabs[0])?.hash ?? ''
}

/**
 * Tabs that store their selection in the URL, so that a reload, the back button and pasted links open the same tab. Each tab
 * has its own query string.
 */
export function HashTabs({ label, tabs }: HashTabsProps) {
  const active = useHashTab(tabs)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <TabRow
      label={label}
      active={active}
      tabs={tabs.map((tab) => ({ value: tab.hash, label: tab.label, count: tab.count }))}
      onChoose={(hash) => void navigate({ pathname, search: '', hash })}
      hrefOf={(hash) => ({ pathname, search: '', hash })}
    />
  )
}

/** Properties of {@link Tabs}. */
export interface TabsProps {
  /** Accessible name. */
  label: string
  /** Value of the selected tab. */
  value: string
  /** Called with the value of the selected tab. */
  onChange: (value: string) => void
  /** Tabs from left to right. */
  tabs: readonly { value: string; label: string; count?: number }[]
}

/** Tabs. The caller stores the selection. */
export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return <TabRow label={label} active={value} tabs={tabs} onChoose={onChange} />
}

interface TabRowProps {
  label: string
  active: string
  tabs: TabsProps['tabs']
  onChoose: (value: string) => void
  hrefOf?: (value: string) => { pathname: string; search: string; hash: string }
}

function TabRow({ label, active, tabs, onChoose, hrefOf }: TabRowProps) {
  const row = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.value === active)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const chosen = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length]
    if (chosen === undefined || next === undefined) return
    event.preventDefault()
    onChoose(chosen.value)
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[(next + tabs.length) % tabs.length]?.focus()
  }
  useFocusOnTab(row, label)
  const hidden = useHiddenTabs(row)
  const isScrollable = hidden.left || hidden.right
  return (
    <div className={styles.strip}>
      {isScrollable ? <Arrow row={row} name={label} direction="left" disabled={!hidden.left} /> : null}
      <div ref={row} role="tablist" aria-label={label} className={styles.row} onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const selected = tab.value === active
          const content = (
            <>
              {tab.label}
              {tab.count === undefined ? null : (
                <span className={styles.count}>{formatNumber(tab.count)}</span>
              )}
            </>
          )
          const shared = {
            role: 'tab',
            'aria-selected': selected,
            tabIndex: selected ? 0 : -1,
            className: styles.tab,
          } as const
          return hrefOf ? (
            <Link key={tab.value} to={hrefOf(tab.value)} {...shared}>
              {content}
            </Link>
          ) : (
            <button key={tab.value} type="button" onClick={() => onChoose(tab.value)} {...shared}>
              {content}
            </button>
          )
        })}
      </div>
      {isScrollable ? <Arrow row={row} name={label} direction="right" disabled={!hidden.right} /> : null}
    </div>
  )
}

/** Distance that an arrow scrolls a row of tabs, in pixels. */
const scrollStepPx = 200

/**
 * Scrolls a row of tabs that does not fit. Keyboard users do not need it, because the arrow keys select the next tab.
 */
function Arrow({
  row,
  name,
  direction,
  disabled,
}: {
  row: RefObject<HTMLElement | null>
  /** Accessible name of the row. */
  name: string
  direction: 'left' | 'right'
  disabled: boolean
}) {
  const Icon = direction === 'left' ? IconChevronLeft : IconChevronRight
  return (
    <button
      type="button"
      className={styles.arrow}
      tabIndex={-1}
      aria-label={`${name}: scroll ${direction}`}
      disabled={disabled}
      onClick={() => row.current?.scrollBy({ left: direction === 'left' ? -scrollStepPx : scrollStepPx })}
    >
      <Icon size={14} stroke={1.6} />
    </button>
  )
}

/** Returns the sides on which a row hides tabs. */
function useHiddenTabs(row: RefObject<HTMLElement | null>): { left: boolean; right: boolean } {
  const [hidden, setHidden] = useState({ left: false, right: false })
  useEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => {
      const left = element.scrollLeft > 0
      const right = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      setHidden((last) => (last.left === left && last.right === right ? last : { left, right }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // The width of the row can stay the same while a label changes.
    for (const tab of element.children) observer.observe(tab)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  })
  return hidden
}
