import { type KeyboardEvent, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { formatNumber } from '@headwater/contract'
import { sameName } from '../routes/route-names.ts'
import styles from './Tabs.module.css'

/** A tab whose choice is in the hash of the URL. */
export interface HashTab {
  /** The hash without #; matched in any letter case. */
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

/** Returns the tab that the hash of the URL names; the first tab when it names none. */
export function useHashTab(tabs: readonly HashTab[]): string {
  const hash = useLocation().hash.replace(/^#/, '')
  return (tabs.find((tab) => sameName(hash, tab.hash)) ?? tabs[0])?.hash ?? ''
}

/** Tabs whose choice is in the URL, so that reload, back and a pasted link open the same tab; the query changes with the tab. */
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

/** Tabs whose choice the caller stores. */
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
  return (
    <div ref={row} role="tablist" aria-label={label} className={styles.row} onKeyDown={onKeyDown}>
      {tabs.map((tab) => {
        const selected = tab.value === active
        const content = (
          <>
            {tab.label}
            {tab.count === undefined ? null : <span className={styles.count}>{formatNumber(tab.count)}</span>}
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
  )
}
