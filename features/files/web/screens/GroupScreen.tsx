import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { canWrite, dataRangeText } from '@headwater/groups/contract'
import {
  DeleteGroupDialog,
  FavoriteGroup,
  GroupDialog,
  useCanDeleteGroup,
  useGroup,
  useRefreshGroup,
} from '@headwater/groups/web'
import {
  ApiError,
  Badge,
  Button,
  EmptyState,
  ErrorState,
  IconButton,
  links,
  openTool,
  openUsage,
  Page,
  PageHeader,
  Skeleton,
  useRecent,
} from '@headwater/web-kit'
import { FilesPage } from '../components/FilesPage.tsx'
import { GroupActions } from '../components/GroupActions.tsx'
import styles from './GroupScreen.module.css'

/** Page of one group, with its description and its files. */
export default function GroupScreen() {
  const { groupName = '' } = useParams()
  const group = useGroup(groupName)
  const navigate = useNavigate()
  const can = useCan()
  const canDelete = useCanDeleteGroup()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const refreshGroup = useRefreshGroup()
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
  // The group stays in the cache after the user has lost access to it.
  if (group.error instanceof ApiError && [403, 404].includes(group.error.status))
    return (
      <Page>
        <PageHeader title={groupName} />
        <EmptyState
          icon={<IconLock size={28} stroke={1.4} />}
          title="You no longer have access to this group"
          action={<Button href={links.lake('groups')}>All groups</Button>}
        >
          The group was deleted, or it is no longer shared with you. Ask {group.data.owner} for access.
        </EmptyState>
      </Page>
    )
  const { access, description, groupTags, dataStart, dataEnd } = group.data
  const isWritable = canWrite(access)
  const isLimited = dataRangeText({ dataStart, dataEnd }) !== ''
  const canUpload = isWritable && can('Files', 'RW', 'Lake')
  return (
    <>
      <FilesPage
        groupName={groupName}
        title={group.data.name}
        canUpload={canUpload}
        onEmptied={() => void refreshGroup(groupName)}
        actions={<GroupActions name={group.data.name} access={access} />}
        search={{ label: 'Search files of this group', placeholder: 'Name or ID' }}
        empty={{
          title: isLimited ? 'No files that you can read' : 'This group has no files yet',
          text: canUpload
            ? 'Drop files anywhere on this page, or upload them.'
            : isLimited
              ? 'Your share is limited to dates. You can read only files whose period, set at their upload, lies within these dates.'
              : 'Ask the owner of the group to upload files or give you write access.',
        }}
      >
        <section className={styles.head}>
          <h2>{group.data.name}</h2>
          <span className={styles.tools}>
            <FavoriteGroup group={group.data} />
            {isLimited ? null : (
              <IconButton
                label="Usage of the group"
                icon={<IconSitemap size={16} stroke={1.6} />}
                onClick={() => openUsage({ type: 'GROUP', name: groupName }, groupName)}
              />
            )}
            {can('Science') && !isLimited ? (
              <IconButton
                label="Secrets of the group"
                icon={<IconKey size={16} stroke={1.6} />}
                onClick={() =>
                  openTool({
                    tool: 'group-secrets',
                    id: groupName,
                    title: `Secrets of ${groupName}`,
                    editable: isWritable,
                  })
                }
              />
            ) : null}
            {isWritable && can('Groups', 'RW', 'Lake') ? (
              <>
                <IconButton
                  label="Edit group"
                  icon={<IconEdit size={16} stroke={1.6} />}
                  onClick={() => setDialog('edit')}
                />
                {canDelete(group.data) ? (
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
        {isLimited ? (
          <p className={styles.description}>
            You can read only data {dataRangeText({ dataStart, dataEnd })}: points in this range, symbols that
            have points in it, and files with a period within it.
          </p>
        ) : null}
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
