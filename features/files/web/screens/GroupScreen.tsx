import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDatabaseImport from '@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useCan } from '@headwater/accounts/web'
import { DeleteGroupDialog, FavoriteGroup, GroupDialog, useGroup } from '@headwater/groups/web'
import {
  Badge,
  Button,
  EmptyState,
  ErrorState,
  HeaderDivider,
  IconButton,
  links,
  Page,
  PageHeader,
  SearchField,
  Skeleton,
  Toolbar,
} from '@headwater/web-kit'
import { FileDropArea } from '../components/FileDropArea.tsx'
import { FilePanel } from '../components/FilePanel.tsx'
import { FilesTable } from '../components/FilesTable.tsx'
import { LayoutToggle, useLatestOnly } from '../components/LayoutToggle.tsx'
import { UploadDialog } from '../components/UploadDialog.tsx'
import { useListState } from '../use-list-state.ts'
import styles from './GroupScreen.module.css'

/** One group: what it is for, and its files. */
export default function GroupScreen() {
  const { groupName = '' } = useParams()
  const group = useGroup(groupName)
  const navigate = useNavigate()
  const can = useCan()
  const latest = useLatestOnly()
  const { text, opened, setText, open } = useListState()
  const [dropped, setDropped] = useState<readonly File[]>()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  if (group.data === undefined)
    return (
      <Page>
        <PageHeader title={groupName} />
        {group.error ? (
          <ErrorState error={group.error} onRetry={() => void group.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Page>
    )
  const { access, description, groupTags } = group.data
  const mayWrite = access !== 'R'
  const mayUpload = mayWrite && can('Files', 'RW', 'Lake')
  const upload = mayUpload ? (
    <Button variant="primary" icon={<IconUpload size={16} stroke={1.6} />} onClick={() => setDropped([])}>
      Upload
    </Button>
  ) : undefined
  return (
    <FileDropArea disabled={!mayUpload || dropped !== undefined} onFiles={setDropped}>
      <Page
        aside={
          opened === undefined ? undefined : (
            <FilePanel fid={opened} onOpen={open} onClose={() => open(undefined)} />
          )
        }
      >
        <PageHeader
          title={group.data.name}
          actions={
            <>
              {can('Storage') ? (
                <Button href={links.symbols(groupName)} icon={<IconChartLine size={16} stroke={1.6} />}>
                  Symbols
                </Button>
              ) : null}
              <LayoutToggle />
              {upload === undefined ? null : (
                <>
                  <HeaderDivider />
                  {upload}
                </>
              )}
            </>
          }
        />
        <section className={styles.head}>
          <h1>{group.data.name}</h1>
          <FavoriteGroup group={group.data} />
          {mayWrite && can('Groups', 'RW', 'Lake') ? (
            <>
              <IconButton
                label="Edit group"
                icon={<IconEdit size={16} stroke={1.6} />}
                onClick={() => setDialog('edit')}
              />
              {access === 'RWS' ? (
                <IconButton
                  label="Delete group"
                  icon={<IconTrash size={16} stroke={1.6} />}
                  onClick={() => setDialog('delete')}
                />
              ) : null}
            </>
          ) : null}
          <span className={styles.tags}>
            {groupTags.map((tag) => (
              <Badge key={tag.tagId}>{tag.tagName}</Badge>
            ))}
          </span>
          <span className={styles.owner}>Owner {group.data.owner}</span>
        </section>
        {description === '' ? null : <p className={styles.description}>{description}</p>}
        <Toolbar>
          <SearchField
            mono
            label="Search files of this group"
            placeholder="name, id, or type=NCSV"
            value={text}
            onChange={setText}
          />
        </Toolbar>
        <FilesTable
          text={text}
          groupName={groupName}
          latest={latest}
          opened={opened}
          onOpen={open}
          empty={
            text === '' ? (
              <EmptyState
                icon={<IconDatabaseImport size={28} stroke={1.4} />}
                title="This group has no files yet"
                action={upload}
              >
                {mayUpload
                  ? 'Drop files anywhere on this page, or upload them.'
                  : 'Its owner has not added any.'}
              </EmptyState>
            ) : (
              <EmptyState title="Sorry, nothing found!" />
            )
          }
        />
        <UploadDialog
          open={dropped !== undefined}
          dropped={dropped ?? []}
          groupName={groupName}
          onClose={() => setDropped(undefined)}
        />
        <GroupDialog open={dialog === 'edit'} group={group.data} onClose={() => setDialog(undefined)} />
        <DeleteGroupDialog
          name={dialog === 'delete' ? groupName : undefined}
          onClose={() => setDialog(undefined)}
          onDeleted={() => void navigate(links.lake('groups'), { replace: true })}
        />
      </Page>
    </FileDropArea>
  )
}
