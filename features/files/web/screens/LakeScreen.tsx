import { useState } from 'react'
import { useNavigate } from 'react-router'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import { useCan } from '@headwater/accounts/web'
import { GroupDialog, GroupsTable } from '@headwater/groups/web'
import {
  Button,
  EmptyState,
  HashTabs,
  links,
  NothingFound,
  Page,
  PageHeader,
  routeNames,
  sameName,
  SearchField,
  Toolbar,
  useHashTab,
} from '@headwater/web-kit'
import { FilesPage } from '../components/FilesPage.tsx'
import { useListState } from '../use-list-state.ts'

type LakeTabs = { hash: string; label: string }[]

/** Page of the data lake, with its groups, files and data providers as tabs. */
export default function LakeScreen() {
  const can = useCan()
  const tabs: LakeTabs = [
    ...(can('Groups', 'R', 'Lake') ? [{ hash: routeNames.groups, label: 'Groups' }] : []),
    ...(can('Files', 'R', 'Lake') ? [{ hash: routeNames.files, label: 'Files' }] : []),
    ...(can('DataProviders', 'R', 'Lake')
      ? [{ hash: routeNames.dataProviders, label: 'Data providers' }]
      : []),
  ]
  const tab = useHashTab(tabs)
  if (sameName(tab, routeNames.files)) return <FilesTab tabs={tabs} />
  if (sameName(tab, routeNames.dataProviders)) return <ProvidersTab tabs={tabs} />
  return <GroupsTab tabs={tabs} />
}

function GroupsTab({ tabs }: { tabs: LakeTabs }) {
  const canWrite = useCan()('Groups', 'RW', 'Lake')
  const { text, setText } = useListState()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const [favoritesOnly, setFavoritesOnly] = useState(false)
  const create = canWrite ? (
    <Button
      variant="primary"
      icon={<IconFolderPlus size={16} stroke={1.6} />}
      onClick={() => setCreating(true)}
    >
      New group
    </Button>
  ) : undefined
  return (
    <Page>
      <PageHeader
        actions={
          <>
            <Button
              icon={<IconStar size={16} stroke={1.6} />}
              aria-pressed={favoritesOnly}
              onClick={() => setFavoritesOnly(!favoritesOnly)}
            >
              Favourites
            </Button>
            {create}
          </>
        }
      />
      <Toolbar>
        <HashTabs label="Data lake" tabs={tabs} />
        <SearchField label="Search groups" placeholder="Search groups" value={text} onChange={setText} />
      </Toolbar>
      <GroupsTable
        text={text}
        favoritesOnly={favoritesOnly}
        empty={
          text === '' && !favoritesOnly ? (
            <EmptyState title="No groups yet" action={create}>
              Groups contain files, symbols and insights. Create your first group.
            </EmptyState>
          ) : (
            <NothingFound />
          )
        }
      />
      <GroupDialog
        open={creating}
        onClose={() => setCreating(false)}
        onSaved={(group) => void navigate(links.group(group.name))}
      />
    </Page>
  )
}

function FilesTab({ tabs }: { tabs: LakeTabs }) {
  const canWrite = useCan()('Files', 'RW', 'Lake')
  return (
    <FilesPage
      canUpload={canWrite}
      tabs={<HashTabs label="Data lake" tabs={tabs} />}
      search={{ label: 'Search files', placeholder: 'Name or ID' }}
      empty={{
        title: 'No files yet',
        text: canWrite
          ? 'Drop files anywhere on this page, or upload them.'
          : 'Files in groups you can read appear here.',
      }}
    />
  )
}

function ProvidersTab({ tabs }: { tabs: LakeTabs }) {
  return (
    <Page>
      <PageHeader />
      <Toolbar>
        <HashTabs label="Data lake" tabs={tabs} />
      </Toolbar>
      <EmptyState icon={<IconPlugConnected size={28} stroke={1.4} />} title="No data providers are connected">
        External data providers will appear here. This version works with local data only.
      </EmptyState>
    </Page>
  )
}
