import { type ReactNode, useState } from 'react'
import IconDatabaseImport from '@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { isUuid } from '@headwater/contract'
import {
  Button,
  EmptyState,
  HeaderDivider,
  NothingFound,
  Page,
  PageHeader,
  SearchField,
  Toolbar,
} from '@headwater/web-kit'
import { useListState } from '../use-list-state.ts'
import { FileDropArea } from './FileDropArea.tsx'
import { FilePanel } from './FilePanel.tsx'
import { FilesTable } from './FilesTable.tsx'
import { LayoutToggle, useLatestOnly } from './LayoutToggle.tsx'
import { NewFileMenu } from './NewFileMenu.tsx'
import { UploadDialog } from './UploadDialog.tsx'

/** A page around a list of files: search, details beside it, and files can be dropped anywhere on it. */
export function FilesPage({
  groupName,
  title,
  canUpload,
  onEmptied,
  actions,
  tabs,
  search,
  empty,
  children,
}: {
  /** Only files of this group. */
  groupName?: string
  /** Text of the last breadcrumb, if the URL does not determine it. */
  title?: string
  canUpload: boolean
  /** Called when the list has become empty, for example because the user has lost access to the files. */
  onEmptied?: () => void
  /** Buttons in the header before those of files. */
  actions?: ReactNode
  /** Content before the search. */
  tabs?: ReactNode
  search: { label: string; placeholder: string }
  /** Content of an empty list. */
  empty: { title: string; text: string }
  /** Content above the list. */
  children?: ReactNode
}) {
  const latest = useLatestOnly()
  const state = useListState()
  const { text, setText, open } = state
  // A link to a file by its id also opens the details of the file.
  const [closed, setClosed] = useState<string>()
  const linked = isUuid(text) && closed !== text ? text.trim() : undefined
  const opened = state.opened ?? linked
  function close() {
    setClosed(text)
    open(undefined)
  }
  const [dropped, setDropped] = useState<readonly File[]>()
  const upload = canUpload ? (
    <Button variant="primary" icon={<IconUpload size={16} stroke={1.6} />} onClick={() => setDropped([])}>
      Upload
    </Button>
  ) : undefined
  const panel = opened === undefined ? undefined : <FilePanel fid={opened} onOpen={open} onClose={close} />
  return (
    <FileDropArea disabled={!canUpload || dropped !== undefined} onFiles={setDropped}>
      <Page aside={panel}>
        <PageHeader
          {...(title === undefined ? {} : { title })}
          actions={
            <>
              {actions}
              <LayoutToggle />
              {canUpload ? <HeaderDivider /> : null}
              {canUpload ? <NewFileMenu groupName={groupName} /> : null}
              {upload}
            </>
          }
        />
        {children}
        <Toolbar>
          {tabs}
          <SearchField {...search} value={text} onChange={setText} />
        </Toolbar>
        <FilesTable
          text={text}
          groupName={groupName}
          latest={latest}
          opened={opened}
          onOpen={open}
          onEmptied={onEmptied}
          empty={
            text === '' ? (
              <EmptyState
                icon={<IconDatabaseImport size={28} stroke={1.4} />}
                title={empty.title}
                action={upload}
              >
                {empty.text}
              </EmptyState>
            ) : (
              <NothingFound />
            )
          }
        />
        <UploadDialog
          open={dropped !== undefined}
          dropped={dropped ?? []}
          groupName={groupName}
          onClose={() => setDropped(undefined)}
        />
      </Page>
    </FileDropArea>
  )
}
