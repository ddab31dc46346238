import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconBook from '@tabler/icons-react/dist/esm/icons/IconBook.mjs'
import IconChartDots from '@tabler/icons-react/dist/esm/icons/IconChartDots.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import IconDeviceDesktopAnalytics from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktopAnalytics.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconSchema from '@tabler/icons-react/dist/esm/icons/IconSchema.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import type { ComponentType } from 'react'
import { type Access, links, routeNames as names } from '@headwater/web-kit'

/** One entry of the sidebar. */
export interface SidebarEntry {
  id: string
  label: string
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>
  access: Access
  href: string
  /** Opens this panel instead of the link, when a room has handed it in. */
  overlay?: string
  /** The first segments of the paths it stands for; the longest that fits is the current one. */
  covers: readonly string[]
  shortcut?: string
  newTab?: boolean
}

/** Entries under a heading; the first group has none. */
export interface SidebarGroup {
  heading?: string
  entries: readonly SidebarEntry[]
}

/** What the sidebar shows depends on what the user may do and on the configuration. */
export interface SidebarWorld {
  can: (access: Access) => boolean
  warehouseOnly: boolean
  userName: string
}

/** The groups and entries a user sees. Users without lake, storage and science get the discovery-only layout. */
export function sidebarGroups({ can, warehouseOnly, userName }: SidebarWorld): SidebarGroup[] {
  const discoveryOnly = isDiscoveryOnly(can)
  const groups: SidebarGroup[] = discoveryOnly
    ? [
        { heading: 'DISCOVER', entries: discover },
        { heading: 'SETTINGS', entries: [profile(userName)] },
      ]
    : [
        { entries: top },
        { heading: 'DATA', entries: data },
        { heading: 'PIPELINES', entries: pipelines },
        { heading: 'DISCOVER', entries: discover },
        { heading: 'SETTINGS', entries: [...(warehouseOnly ? [trash] : []), profile(userName)] },
      ]
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => can(entry.access)) }))
    .filter((group) => group.entries.length > 0)
}

/** Whether a user may see none of lake, storage and science. */
export function isDiscoveryOnly(can: (access: Access) => boolean): boolean {
  return ['Lake', 'Storage', 'Science'].every((resource) => !can({ resource }))
}

/** The id of the entry a path belongs to; undefined when none does. */
export function currentEntry(groups: readonly SidebarGroup[], pathname: string): string | undefined {
  const path = `${pathname.toLowerCase()}/`
  let best: { id: string; length: number } | undefined
  for (const entry of groups.flatMap((group) => group.entries)) {
    for (const covered of entry.covers) {
      const start = `/${covered.toLowerCase()}/`
      if (path.startsWith(start) && start.length > (best?.length ?? 0))
        best = { id: entry.id, length: start.length }
    }
  }
  return best?.id
}

const top: SidebarEntry[] = [
  {
    id: 'search',
    label: 'Search all',
    icon: IconSearch,
    access: { resource: 'Search' },
    href: links.search(),
    overlay: 'search',
    covers: [names.search],
    shortcut: 'mod+k',
  },
  {
    id: 'statuses',
    label: 'Statuses',
    icon: IconActivity,
    access: { resource: 'Statuses' },
    href: links.statuses(),
    overlay: 'statuses',
    covers: [names.statuses],
  },
]

const data: SidebarEntry[] = [
  {
    id: 'lake',
    label: 'Data lake',
    icon: IconDatabase,
    access: { resource: 'Lake' },
    href: links.lake(),
    covers: [names.lake],
  },
  {
    id: 'preps',
    label: 'Data preps',
    icon: IconTable,
    access: { resource: 'DataPreps', parent: 'Storage' },
    href: links.storageList(),
    covers: [names.storage],
  },
  {
    id: 'storage',
    label: 'Storage',
    icon: IconChartDots,
    access: { resource: 'Storage' },
    href: links.symbols(),
    covers: [`${names.storage}/${names.symbols}`],
  },
]

const pipelines: SidebarEntry[] = [
  {
    id: 'list',
    label: 'List',
    icon: IconListDetails,
    access: { resource: 'Science' },
    href: links.scienceList(),
    covers: [names.science],
  },
  {
    id: 'monitoring',
    label: 'Monitoring',
    icon: IconDeviceDesktopAnalytics,
    access: { resource: 'Monitor', parent: 'Science' },
    href: links.monitor(),
    covers: [`${names.science}/${names.monitor}`, `${names.science}/${names.dashboard}`],
  },
  {
    id: 'creator',
    label: 'Creator',
    icon: IconSchema,
    access: { resource: 'Creator', parent: 'Science' },
    href: links.pipelineNew(),
    covers: [`${names.science}/${names.creator}`],
  },
]

const discover: SidebarEntry[] = [
  {
    id: 'ai',
    label: 'AI tools',
    icon: IconSparkles,
    access: { resource: 'AITools' },
    href: links.aiTools(),
    covers: [names.aiTools],
  },
  {
    id: 'knowledge',
    label: 'Knowledge',
    icon: IconBook,
    access: { resource: 'MyAccount' },
    href: links.knowledge(),
    covers: [names.knowledgeCenter],
    newTab: true,
  },
  {
    id: 'insight',
    label: 'Insight',
    icon: IconLayoutDashboard,
    access: { resource: 'Insight' },
    href: links.insightList(),
    covers: [names.insight],
  },
]

const trash: SidebarEntry = {
  id: 'trash',
  label: 'Trash',
  icon: IconTrash,
  access: { resource: 'Lake' },
  href: links.trash(),
  covers: [names.trash],
}

function profile(userName: string): SidebarEntry {
  return {
    id: 'profile',
    label: userName,
    icon: IconUser,
    access: { resource: 'MyAccount' },
    href: links.myAccount('settings'),
    covers: [names.myAccount],
  }
}
