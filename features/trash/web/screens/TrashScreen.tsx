import { useCan } from '@headwater/accounts/web'
import { Navigate, useLocation } from 'react-router'
import {
  EmptyState,
  HashTabs,
  Page,
  PageHeader,
  routeNames,
  sameName,
  Skeleton,
  useHashTab,
} from '@headwater/web-kit'
import type { TrashKind } from '../../contract/index.ts'
import { TrashTable } from '../components/TrashTable.tsx'
import { useNewestKind } from '../trash-client.ts'

interface TrashTab {
  hash: string
  label: string
  kind: TrashKind
}

/**
 * The trash: deleted objects, which can be restored or deleted permanently. Without a tab in the address it opens the one of
 * the object that was deleted last.
 */
export default function TrashScreen() {
  const can = useCan()
  const tabs: TrashTab[] = [
    ...(can('Groups', 'R', 'Lake')
      ? [{ hash: routeNames.archivedGroups, label: 'Archived groups', kind: 'groups' as const }]
      : []),
    ...(can('Files', 'R', 'Lake')
      ? [{ hash: routeNames.deletedFiles, label: 'Deleted files', kind: 'files' as const }]
      : []),
    ...(can('Data', 'R', 'Storage')
      ? [{ hash: routeNames.archivedSymbols, label: 'Archived symbols', kind: 'symbols' as const }]
      : []),
  ]
  const active = useHashTab(tabs)
  const { hash, pathname, search } = useLocation()
  const isOpen = tabs.length < 2 || tabs.some((each) => sameName(hash.replace(/^#/, ''), each.hash))
  const newest = useNewestKind(
    tabs.map(({ kind }) => kind),
    { enabled: !isOpen },
  )
  const tab = tabs.find(({ hash }) => sameName(hash, active))
  if (tab === undefined)
    return (
      <Page>
        <PageHeader />
        <EmptyState title="No access to the trash">
          You do not have access to groups, files or symbols. Ask an administrator for access.
        </EmptyState>
      </Page>
    )
  if (!isOpen && newest.isPending)
    return (
      <Page>
        <PageHeader />
        <Skeleton lines={8} />
      </Page>
    )
  const opened = isOpen ? undefined : tabs.find(({ kind }) => kind === newest.data)
  if (opened !== undefined && opened !== tab)
    return <Navigate to={{ pathname, search, hash: opened.hash }} replace />
  return (
    <Page>
      <PageHeader />
      <TrashTable key={tab.kind} kind={tab.kind} tabs={<HashTabs label="Trash" tabs={tabs} />} />
    </Page>
  )
}
