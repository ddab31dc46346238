import { useCan } from '@headwater/accounts/web'
import { EmptyState, HashTabs, Page, PageHeader, routeNames, sameName, useHashTab } from '@headwater/web-kit'
import type { TrashKind } from '../../contract/index.ts'
import { TrashTable } from '../components/TrashTable.tsx'

interface TrashTab {
  hash: string
  label: string
  kind: TrashKind
}

/** The trash: deleted objects, which can be restored or deleted permanently. */
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
  const tab = tabs.find(({ hash }) => sameName(hash, active))
  if (tab === undefined)
    return (
      <Page>
        <PageHeader />
        <EmptyState title="Nothing to see here">
          You can read neither groups nor files nor symbols. Ask an administrator for access.
        </EmptyState>
      </Page>
    )
  return (
    <Page>
      <PageHeader />
      <TrashTable key={tab.kind} kind={tab.kind} tabs={<HashTabs label="Trash" tabs={tabs} />} />
    </Page>
  )
}
