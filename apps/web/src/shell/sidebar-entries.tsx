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
  /** Id, unique in the sidebar. */
  id: string
  /** Text of the entry. */
  label: string
  /** Icon before the text, or alone while the sidebar is collapsed. */
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>
  /** Access that a user needs to see the entry. */
  access: Access
  /** Address of its page. */
  href: string
  /** Id of a panel that opens instead of the link, if a feature provides it. */
  overlay?: string
  /** First segments of its paths; the entry with the longest match is the current one. */
  covers: readonly string[]
  /** Keyboard shortcut, for example `mod+k`. */
  shortcut?: string
  /** Whether its page opens in a new browser tab, default false. */
  newTab?: boolean
  /** Whether its page is unfinished; such an entry is listed in development only. */
  isUnfinished?: true
}

/** Entries under a heading; the first group has no heading. */
export interface SidebarGroup {
  /** Heading in capitals. */
  heading?: string
  /** Visible entries, in order; at least one. */
  entries: readonly SidebarEntry[]
}

/** Access of the user and configuration, on which the entries depend. */
export interface SidebarContext {
  /** Returns whether the user has the given access. */
  can: (access: Access) => boolean
  /** Whether the product runs in warehouse-only mode. */
  warehouseOnly: boolean
  /** Whether entries of unfinished pages are listed. */
  unfinishedPages: boolean
  /** Name of the signed-in user, the text of the profile entry. */
  userName: string
}

/** Returns the groups and entries for a user. Users without lake, storage and science get the discovery-only layout. */
export function sidebarGroups({
  can,
  warehouseOnly,
  unfinishedPages,
  userName,
}: SidebarContext): SidebarGroup[] {
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
    .map((group) => ({
      ...group,
      entries: group.entries.filter(
        ({ access, isUnfinished }) => can(access) && (unfinishedPages || isUnfinished !== true),
      ),
    }))
    .filter((group) => group.entries.length > 0)
}

/** Returns whether a user has no access to lake, storage and science. */
export function isDiscoveryOnly(can: (access: Access) => boolean): boolean {
  return ['Lake', 'Storage', 'Science'].every((resource) => !can({ resource }))
}

/** Returns the id of the entry of a path; undefined if the path has none. */
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
    ...entry('search', 'Search all', IconSearch, 'Search', links.search(), names.search),
    overlay: 'search',
    shortcut: 'mod+k',
  },
  {
    ...entry('statuses', 'Statuses', IconActivity, 'Statuses', links.statuses(), names.statuses),
    overlay: 'statuses',
  },
]

const data: SidebarEntry[] = [
  entry('lake', 'Data lake', IconDatabase, 'Lake', links.lake(), names.lake),
  entry('preps', 'Data preps', IconTable, 'Storage/DataPreps', links.storageList(), names.storage),
  entry(
    'storage',
    'Storage',
    IconChartDots,
    'Storage',
    links.symbols(),
    ...[names.symbols, names.newSymbol, names.formula].map((name) => `${names.storage}/${name}`),
  ),
]

const pipelines: SidebarEntry[] = [
  entry('list', 'List', IconListDetails, 'Science', links.scienceList(), names.science),
  entry(
    'monitoring',
    'Monitoring',
    IconDeviceDesktopAnalytics,
    'Science/Monitor',
    links.monitor(),
    `${names.science}/${names.monitor}`,
    `${names.science}/${names.dashboard}`,
  ),
  entry(
    'creator',
    'Creator',
    IconSchema,
    'Science/Creator',
    links.pipelineNew(),
    `${names.science}/${names.creator}`,
  ),
]

const discover: SidebarEntry[] = [
  {
    ...entry(
      'ai',
      'AI tools',
      IconSparkles,
      'AITools',
      links.aiTools(),
      names.aiTools,
      names.aiToolsHyphenated,
    ),
    isUnfinished: true,
  },
  {
    ...entry('knowledge', 'Knowledge', IconBook, 'MyAccount', links.knowledge(), names.knowledgeCenter),
    newTab: true,
    isUnfinished: true,
  },
  entry('insight', 'Insight', IconLayoutDashboard, 'Insight', links.insightList(), names.insight),
]

const trash: SidebarEntry = entry('trash', 'Trash', IconTrash, 'Lake', links.trash(), names.trash)

function profile(userName: string): SidebarEntry {
  return entry('profile', userName, IconUser, 'MyAccount', links.myAccount('settings'), names.myAccount)
}

/** Creates an entry; `needs` is what the user must be able to read: a resource path such as `Storage/DataPreps`. */
function entry(
  id: string,
  label: string,
  icon: SidebarEntry['icon'],
  needs: string,
  href: string,
  ...covers: string[]
): SidebarEntry {
  const [resource = '', parent] = needs.split('/').toReversed()
  return { id, label, icon, access: parent === undefined ? { resource } : { resource, parent }, href, covers }
}
