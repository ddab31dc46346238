import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { GroupDialog, GroupsTable } from '@headwater/groups/web'
import {
  Button,
  EmptyState,
  HashTabs,
  HeaderDivider,
  links,
  Page,
  PageHeader,
  routeNames,
  sameName,
  SearchField,
  Toolbar,
  useHashTab,
} from '@headwater/web-kit'
import { FileDropArea } from '../components/FileDropArea.tsx'
import { FilePanel } from '../components/FilePanel.tsx'
import { FilesTable } from '../components/FilesTable.tsx'
import { LayoutToggle } from '../components/LayoutToggle.tsx'
import { UploadDialog } from '../components/UploadDialog.tsx'

/** The data lake: groups, files, data providers. */
export default function LakeScreen() {
  const can = useCan()
  const tabs = [
    ...(can('Groups', 'R', 'Lake') ? [{ hash: routeNames.groups, label: 'Groups' }] : []),
    ...(can('Files', 'R', 'Lake') ? [{ hash: routeNames.files, label: 'Files' }] : []),
    ...(can('DataProviders', 'R', 'Lake') ? [{ hash: routeNames.dataProviders, label: 'Data providers' }] : []),
  ]
  const tab = useHashTab(tabs)
  const [search, setSearch] = useSearchParams()
  const text = search.get('query') ?? ''
  const opened = search.get('file') ?? undefined
  const setParameter = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(search)
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
    void setSearch(next, { replace: name === 'query', preventScrollReset: true })
    keepHash(tab)
  }
  const body = sameName(tab, routeNames.files) ? (
    <FilesTab text={text} opened={opened} onText={(value) => setParameter('query', value)} onOpen={(fid) => setParameter('file', fid)} tabs={tabs} />
  ) : sameName(tab, routeNames.dataProviders) ? (
    <ProvidersTab tabs={tabs} />
  ) : (
    <GroupsTab text={text} onText={(value) => setParameter('query', value)} tabs={tabs} />
  )
  return body
}
