import { useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import IconBook from '@tabler/icons-react/dist/esm/icons/IconBook.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import { isFramed } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  HeaderSlotsContext,
  Logo,
  Page,
  Tooltip,
  breadcrumbsOf,
  links,
  useProductConfig,
} from '@headwater/web-kit'
import { Header } from './Header.tsx'
import layout from './MainLayout.module.css'
import styles from './Sidebar.module.css'

/** The layout of visitors who open a shared insight: a reduced sidebar with the knowledge centre, the insight and a login link. */
export function PublicLayout() {
  const { pathname, search, hash } = useLocation()
  const framed = isFramed()
  const [note, setNote] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const crumbs = framed ? [] : breadcrumbsOf(pathname, search, hash).map(({ text }) => ({ text }))
  return (
    <HeaderSlotsContext value={{ note, actions }}>
      <div className={layout.layout}>
        {framed ? null : <PublicSidebar here={`${pathname}${search}${hash}`} />}
        <div className={layout.column}>
          <Header crumbs={crumbs} noteRef={setNote} actionsRef={setActions} />
          <main id="page" tabIndex={-1} className={layout.outlet}>
            <Outlet />
          </main>
        </div>
      </div>
    </HeaderSlotsContext>
  )
}

function PublicSidebar({ here }: { here: string }) {
  const { unfinishedPages } = useProductConfig()
  const knowledge = { label: 'Knowledge', href: links.knowledge(), icon: IconBook, newTab: true as const }
  const entries: { label: string; href: string; icon: typeof IconBook; newTab?: true; current?: true }[] = [
    ...(unfinishedPages ? [knowledge] : []),
    { label: 'Insight', href: here, icon: IconLayoutDashboard, current: true },
    { label: 'Log in', href: links.login(), icon: IconLogin2 },
  ]
  return (
    <div className={styles.container} data-navigation>
      <nav className={styles.sidebar} aria-label="Main" data-layout="public" data-bottom-bar>
        <div className={styles.head}>
          <Logo />
        </div>
        <div className={styles.clock} />
        <ul>
          {entries.map(({ label, href, icon: Icon, newTab, current }) => (
            <li key={label}>
              <Tooltip label={label} position="right">
                <Link
                  to={href}
                  className={styles.entry}
                  aria-label={label}
                  aria-current={current ? 'page' : undefined}
                  {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}
                >
                  <Icon size={16} stroke={1.6} aria-hidden="true" />
                  <span className={styles.publicLabel}>{label}</span>
                </Link>
              </Tooltip>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** The page for visitors who open the public area without an insight. */
export function PublicHome() {
  const { title } = useProductConfig()
  return (
    <Page>
      <EmptyState
        icon={<IconLayoutDashboard size={20} stroke={1.6} />}
        title="This link is incomplete"
        action={<Button href={links.login()}>Log in</Button>}
      >
        Open the full link that you received, or log in to {title || 'the product'}.
      </EmptyState>
    </Page>
  )
}
