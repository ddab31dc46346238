import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { canWrite } from '@headwater/groups/contract'
import {
  DeleteGroupDialog,
  FavoriteGroup,
  GroupDialog,
  openGroupShare,
  useCanShareGroup,
  useGroup,
} from '@headwater/groups/web'
import {
  Badge,
  Button,
  ErrorState,
  IconButton,
  links,
  openTool,
  Page,
  PageHeader,
  Skeleton,
  useRecent,
} from '@headwater/web-kit'
import { FilesPage } from '../components/FilesPage.tsx'
import styles from './GroupScreen.module.css'

/** One group: what it is for, and its files. */
export default function GroupScreen() {
  const { groupName = '' } = useParams()
  const group = useGroup(groupName)
  const navigate = useNavigate()
  const can = useCan()
  const canShareGroup = useCanShareGroup()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  useRecent('GROUP', group.data && { name: group.data.name, groupName: group.data.name })
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
  const isWritable = canWrite(access)
  const canUpload = isWritable && can('Files', 'RW', 'Lake')
  return (
    <>
      <FilesPage
        groupName={groupName}
        title={group.data.name}
        canUpload={canUpload}
        actions={
          <>
            {canShareGroup(access) ? (
              <Button icon={<IconShare size={16} stroke={1.6} />} onClick={() => openGroupShare(groupName)}>
                Share
              </Button>
            ) : null}
            {access === 'RWS' ? (
              <Button
                icon={<IconWorld size={16} stroke={1.6} />}
                onClick={() =>
                  openTool({
                    tool: 'public-views',
                    id: groupName,
                    title: `Public views of ${groupName}`,
                    editable: can('Groups', 'RW', 'Lake'),
                  })
                }
              >
                Show public views
              </Button>
            ) : null}
            {can('Storage') ? (
              <Button href={links.symbols(groupName)} icon={<IconChartLine size={16} stroke={1.6} />}>
                Show symbols
              </Button>
            ) : null}
            {isWritable && can('Visualisations', 'RW', 'Insight') ? (
              <span className={styles.newInsight}>
                <Button href={links.insightCreator(groupName)} icon={<IconPlus size={16} stroke={1.6} />}>
                  New insight
                </Button>
              </span>
            ) : null}
          </>
        }
        search={{ label: 'Search files of this group', placeholder: 'Name or ID' }}
        empty={{
          title: 'This group has no files yet',
          text: canUpload
            ? 'Drop files anywhere on this page, or upload them.'
            : 'Ask the owner of the group to upload files or give you write access.',
        }}
      >
        <section className={styles.head}>
          <h1>{group.data.name}</h1>
          <span className={styles.tools}>
            <FavoriteGroup group={group.data} />
            {isWritable && can('Groups', 'RW', 'Lake') ? (
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
          </span>
          <span className={styles.tags}>
            {groupTags.map((tag) => (
              <Badge key={tag.tagId}>{tag.tagName}</Badge>
            ))}
          </span>
          <span className={styles.owner}>Owner {group.data.owner}</span>
        </section>
        {description === '' ? null : <p className={styles.description}>{description}</p>}
      </FilesPage>
      <GroupDialog open={dialog === 'edit'} group={group.data} onClose={() => setDialog(undefined)} />
      <DeleteGroupDialog
        name={dialog === 'delete' ? groupName : undefined}
        onClose={() => setDialog(undefined)}
        onDeleted={() => void navigate(links.lake('groups'), { replace: true })}
      />
    </>
  )
}
