import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Badge,
  type Column,
  DataTable,
  GroupLink,
  IconButton,
  intervals,
  links,
  Menu,
  type MenuEntry,
  TextLink,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchTasks, type Task } from '../../contract/index.ts'
import { DeleteTaskDialog } from '../components/DeleteTaskDialog.tsx'

const icon = { size: 16, stroke: 1.6 } as const

/** Tasks that a text finds, built-in ones among them; refreshes every 10 s. */
export function TasksTable({
  text,
  empty,
  onRun,
}: {
  text: string
  empty: ReactNode
  /** Asked to run a task. */
  onRun: (task: Task) => void
}) {
  const navigate = useNavigate()
  const mayWrite = useCan()('Task', 'RW', 'Science')
  const list = useInfiniteList(searchTasks, { query: { query: text } }, { intervalMs: intervals.listMs })
  const [deleted, setDeleted] = useState<Task>()
  const actionsOf = (task: Task): MenuEntry[] => [
    { label: 'Run', icon: <IconPlayerPlay {...icon} />, onClick: () => onRun(task) },
    ...(mayWrite
      ? [
          {
            label: task.writeAccess ? 'Edit' : 'Open',
            icon: <IconEdit {...icon} />,
            href: links.task(task.id),
          },
        ]
      : []),
    ...(mayWrite && task.groupName !== ''
      ? [{ label: 'Versions', icon: <IconHistory {...icon} />, href: links.taskVersions(task.id) }]
      : []),
    ...(mayWrite && task.writeAccess
      ? [
          {
            label: 'Delete',
            icon: <IconTrash {...icon} />,
            danger: true,
            onClick: () => setDeleted(task),
          },
        ]
      : []),
  ]
  return (
    <>
      <DataTable
        {...list}
        label="Tasks"
        rowHeight={36}
        columns={columnsOf(mayWrite, actionsOf)}
        rowKey={({ id }) => id}
        empty={empty}
        {...(mayWrite ? { onOpenRow: (task: Task) => void navigate(links.task(task.id)) } : {})}
      />
      <DeleteTaskDialog task={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}

function columnsOf(mayOpen: boolean, actionsOf: (task: Task) => MenuEntry[]): Column<Task>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(180px, 2fr)',
      text: ({ readableName }) => readableName,
      cell: ({ id, readableName }) =>
        mayOpen ? <TextLink href={links.task(id)}>{readableName}</TextLink> : readableName,
    },
    {
      id: 'category',
      header: 'Category',
      width: 'minmax(90px, 1fr)',
      quiet: true,
      priority: 2,
      text: ({ category }) => category,
      shortText: ({ category }) => category,
      cell: ({ category }) => category,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(110px, 1fr)',
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) =>
        groupName === '' ? (
          <Badge>Built in</Badge>
        ) : (
          <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>
        ),
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(140px, 2fr)',
      quiet: true,
      priority: 3,
      text: ({ description }) => description,
      cell: ({ description }) => description,
    },
    {
      id: 'version',
      header: 'Version',
      width: 60,
      align: 'end',
      quiet: true,
      cell: ({ version }) => `v${version}`,
    },
    {
      id: 'updated',
      header: 'Updated',
      width: 96,
      align: 'end',
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} />,
    },
    {
      id: 'by',
      header: 'By',
      width: 'minmax(100px, 1fr)',
      quiet: true,
      priority: 1,
      text: ({ modifiedBy }) => modifiedBy ?? '',
      cell: ({ modifiedBy }) => modifiedBy ?? '—',
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 28,
      cell: (task) => (
        <Menu
          trigger={<IconButton label={`Actions of ${task.readableName}`} icon={<IconDots {...icon} />} />}
          items={actionsOf(task)}
        />
      ),
    },
  ]
}
