import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import {
  ActionsButton,
  Badge,
  type Column,
  DataTable,
  GroupLink,
  intervals,
  links,
  Menu,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { canWrite, listGroups, type Group } from '../../contract/index.ts'
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx'
import { openGroupShare, useCanShareGroup } from '../share/open-group-share.ts'
import { useCanDeleteGroup } from './can-delete-group.ts'
import { FavoriteGroup } from './FavoriteGroup.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import styles from './GroupsTable.module.css'

const accessLabels = {
  R: 'Read',
  RW: 'Read, write',
  RS: 'Read, share',
  RWS: 'Read, write, share',
} as const

const byName: { column: string; order: 'asc' | 'desc' } = { column: 'name', order: 'asc' }

/** Table of the groups that a user can read and whose names match `text`. */
export function GroupsTable({
  text,
  favoritesOnly,
  empty,
}: {
  text: string
  favoritesOnly: boolean
  empty: ReactNode
}) {
  const navigate = useNavigate()
  const canShareGroup = useCanShareGroup()
  const canDelete = useCanDeleteGroup()
  const [order, setOrder] = useState(byName)
  const [edited, setEdited] = useState<Group>()
  const [deleted, setDeleted] = useState<string>()
  const list = useInfiniteList(
    listGroups,
    {
      query: {
        query: text === '' ? '' : `*${text}*`,
        favorite: favoritesOnly,
        sortBy: order.column === 'name' ? 'name' : 'createdOn',
        sortOrder: order.order,
      },
    },
    { intervalMs: intervals.listMs },
  )
  const columns: Column<Group>[] = [
    {
      id: 'favorite',
      header: <span className="visually-hidden">Favourite</span>,
      width: 40,
      cell: (group) => <FavoriteGroup group={group} />,
    },
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(180px, 2fr)',
      sortable: true,
      text: (group) => group.name,
      cell: (group) => <GroupLink href={links.group(group.name)}>{group.name}</GroupLink>,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(120px, 3fr)',
      priority: 2,
      quiet: true,
      text: (group) => group.description,
      cell: (group) => group.description,
    },
    {
      id: 'tags',
      header: 'Tags',
      width: 'minmax(100px, 1.5fr)',
      priority: 3,
      text: (group) => group.groupTags.map((tag) => tag.tagName).join(', '),
      cell: (group) => (
        <span className={styles.tags}>
          {group.groupTags.map((tag) => (
            <Badge key={tag.tagId}>{tag.tagName}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'access',
      header: 'Access',
      width: 130,
      priority: 5,
      quiet: true,
      cell: (group) => accessLabels[group.access],
    },
    {
      id: 'owner',
      header: 'Owner',
      width: 'minmax(120px, 1.8fr)',
      priority: 4,
      quiet: true,
      text: (group) => group.owner,
      cell: (group) => group.owner,
    },
    {
      id: 'created',
      header: 'Created',
      width: 110,
      priority: 1,
      align: 'end',
      sortable: true,
      quiet: true,
      cell: (group) => <Time value={group.createTime} show="compact" />,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 44,
      cell: (group) =>
        !canWrite(group.access) && !canShareGroup(group.access) ? null : (
          <Menu
            trigger={<ActionsButton name={group.name} />}
            items={[
              {
                label: 'Edit',
                icon: <IconEdit size={16} stroke={1.6} />,
                disabled: !canWrite(group.access),
                onClick: () => setEdited(group),
              },
              ...(canShareGroup(group.access)
                ? [
                    {
                      label: 'Share',
                      icon: <IconShare size={16} stroke={1.6} />,
                      onClick: () => openGroupShare(group.name),
                    },
                  ]
                : []),
              {
                label: 'Delete',
                icon: <IconTrash size={16} stroke={1.6} />,
                danger: true,
                disabled: !canDelete(group),
                onClick: () => setDeleted(group.name),
              },
            ]}
          />
        ),
    },
  ]
  return (
    <>
      <DataTable
        label="Groups"
        rowHeight={36}
        columns={columns}
        rowKey={(group) => group.name}
        {...list}
        sort={order}
        onSortChange={setOrder}
        empty={empty}
        onOpenRow={(group) => void navigate(links.group(group.name))}
      />
      <GroupDialog open={edited !== undefined} group={edited} onClose={() => setEdited(undefined)} />
      <DeleteGroupDialog name={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}
