import { call, type FeatureRoutes, links, pageSizes, searchHitLink } from '@headwater/web-kit'
import { listGroups } from '../contract/index.ts'

export { DeleteGroupDialog } from './components/DeleteGroupDialog.tsx'
export { useCanDeleteGroup } from './components/can-delete-group.ts'
export { FavoriteGroup } from './components/FavoriteGroup.tsx'
export { GroupDialog } from './components/GroupDialog.tsx'
export { groupControl } from './components/group-control.tsx'
export { GroupPicker } from './components/GroupPicker.tsx'
export { GroupsTable } from './components/GroupsTable.tsx'
export { openGroupShare, useCanShareGroup } from './share/open-group-share.ts'
export { addressRule } from './share/address-rule.ts'
export { useEmails, useGroupUsers } from './share/shares-client.ts'
export {
  useGroup,
  useGroupAccess,
  useRefreshGroup,
  useSuggestedGroup,
  useWritableGroups,
} from './groups-client.ts'

const access = { resource: 'Groups', parent: 'Lake' } as const

/** Search provider and share tool of the groups feature. The files feature has the pages of groups. */
export const groupsWeb: FeatureRoutes = {
  routes: [],
  tools: [{ id: 'group-share', access, compact: true, lazy: () => import('./share/GroupShareTool.tsx') }],
  searchProviders: [
    {
      id: 'groups',
      label: 'Groups',
      access,
      async search(text, signal) {
        const query = {
          query: `*${text}*`,
          size: pageSizes.search,
          sortBy: 'name' as const,
          sortOrder: 'asc',
        }
        const page = await call(listGroups, { query }, { signal })
        return page.items.map((group) => ({
          id: String(group.groupId),
          title: group.name,
          href: searchHitLink(links.group(group.name)),
        }))
      },
      seeAllHref: (text) => links.lake('groups', { query: text }),
      recents: {
        type: 'GROUP',
        async find(recent, signal) {
          const { findRecentGroup } = await import('./recent-group.ts')
          return findRecentGroup(recent, signal)
        },
      },
    },
  ],
}
