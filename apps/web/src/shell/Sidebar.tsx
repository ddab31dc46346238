import type { MouseEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import IconPinnedOff from '@tabler/icons-react/dist/esm/icons/IconPinnedOff.mjs'
import { useCan, useSession } from '@headwater/accounts/web'
import {
  Kbd,
  Logo,
  Tooltip,
  closeOverlays,
  leavePage,
  links,
  openOverlay,
  useOpenOverlay,
  useProductConfig,
} from '@headwater/web-kit'
import { overlays } from '../features.ts'
import { Clock } from './Clock.tsx'
import styles from './Sidebar.module.css'
import { type SidebarEntry, currentEntry, isDiscoveryOnly, sidebarGroups } from './sidebar-entries.tsx'
import { useSidebarState } from './use-sidebar-state.ts'

/**
 * Navigation to all areas, pinned open by default. Unpinned, it expands on a click or after 1.5 s of hover and collapses when
 * the pointer leaves. It pushes the page, so it never covers titles or tabs.
 */
export function Sidebar() {
  const can = useCan()
  const queries = useQueryClient()
  const { userName } = useSession()
  const { title, warehouseOnly, unfinishedPages, localBuild } = useProductConfig()
  const { pathname } = useLocation()
  const openPanel = useOpenOverlay()?.id
  const allowed = (access: SidebarEntry['access']) => can(access.resource, access.mode, access.parent)
  const groups = sidebarGroups({ can: allowed, warehouseOnly, unfinishedPages, userName })
  const current = openPanel ?? currentEntry(groups, pathname)
  const state = useSidebarState()
  return (
    <div
      className={styles.container}
      data-navigation
      data-expanded={state.expanded || undefined}
      data-toast-space={state.pinned || undefined}
    >
      <nav
        className={styles.sidebar}
        aria-label="Main"
        data-expanded={state.expanded || undefined}
        data-layout={isDiscoveryOnly(allowed) ? 'discovery' : 'full'}
        onClick={state.expand}
        onPointerEnter={state.pointerEntered}
        onPointerLeave={state.pointerLeft}
      >
        <div className={styles.head}>
          <Link
            to={links.home()}
            className={styles.brand}
            aria-label={`${title}, start page`}
            onClick={(event) => {
              if (opensElsewhere(event)) return
              closeOverlays()
              void leavePage(queries)
            }}
          >
            <Logo withName={state.expanded} />
          </Link>
          {localBuild && state.expanded ? <span className={styles.local}>Local</span> : null}
          {state.expanded && state.canPin ? (
            <Tooltip label={state.pinned ? 'Unpin the sidebar' : 'Pin the sidebar open'} position="right">
              <button
                type="button"
                className={styles.pin}
                aria-label={state.pinned ? 'Unpin the sidebar' : 'Pin the sidebar open'}
                aria-pressed={state.pinned}
                onClick={(event) => {
                  event.stopPropagation()
                  state.togglePin()
                }}
              >
                {state.pinned ? <IconPinnedOff size={14} stroke={1.6} /> : <IconPin size={14} stroke={1.6} />}
              </button>
            </Tooltip>
          ) : null}
        </div>
        <div className={styles.clock}>{state.expanded ? <Clock /> : null}</div>
        <div className={styles.groups}>
          {groups.map((group) => (
            <div
              key={group.heading ?? 'top'}
              className={styles.group}
              role="group"
              aria-label={group.heading}
            >
              {group.heading === undefined ? null : (
                <div className={styles.heading} aria-hidden="true">
                  {state.expanded ? group.heading : ''}
                </div>
              )}
              <ul>
                {group.entries.map((entry) => (
                  <li key={entry.id}>
                    <Entry entry={entry} current={entry.id === current} expanded={state.expanded} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </nav>
    </div>
  )
}

function Entry({ entry, current, expanded }: { entry: SidebarEntry; current: boolean; expanded: boolean }) {
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const { icon: Icon } = entry
  const panel =
    entry.overlay === 'search' || overlays.some(({ id }) => id === entry.overlay) ? entry.overlay : undefined
  function onClick(event: MouseEvent) {
    if (panel !== undefined) {
      event.preventDefault()
      openOverlay(panel)
      return
    }
    if (entry.newTab || opensElsewhere(event)) return
    closeOverlays()
    if (!samePath(pathname, entry.href)) void leavePage(queries)
  }
  const link = (
    <Link
      to={entry.href}
      className={styles.entry}
      aria-current={current ? 'page' : undefined}
      aria-label={expanded ? undefined : entry.label}
      aria-keyshortcuts={entry.shortcut === undefined ? undefined : 'Control+K Meta+K'}
      onClick={onClick}
      {...(entry.newTab ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      <Icon size={16} stroke={1.6} />
      {expanded ? <span className={styles.label}>{entry.label}</span> : null}
      {expanded && entry.shortcut !== undefined ? <Kbd keys={entry.shortcut} /> : null}
    </Link>
  )
  const hasTooltip = !expanded || entry.id === 'profile'
  return hasTooltip ? (
    <Tooltip label={entry.label} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

/** Returns whether a click opens its link in another tab or window. */
function opensElsewhere({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey
}

function samePath(pathname: string, href: string): boolean {
  return pathname.toLowerCase() === href.split(/[?#]/)[0]?.toLowerCase()
}
