import { type ReactNode, useState } from 'react'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { ItemTable, itemColumns } from '@headwater/items/web'
import { Badge, type Column, intervals, links, type MenuEntry, useInfiniteList } from '@headwater/web-kit'
import { searchTasks, type Task } from '../../contract/index.ts'
import { DeleteTaskDialog } from '../components/DeleteTaskDialog.tsx'

const icon = { size: 16, stroke: 1.6 } as const

/** Table of the tasks that match a search text, including built-in tasks, refreshed every 10 s. */
export function TasksTable({
  text,
  empty,
  onRun,
}: {
  text: string
  empty: ReactNode
  /** Called when the user chooses to run a task. */
  onRun: (task: Task) => void
}) {
  const canWrite = useCan()('Task', 'RW', 'Science')
  const list = useInfiniteList(searchTasks, { query: { query: text } }, { intervalMs: intervals.listMs })
  const [deleted, setDeleted] = useState<Task>()
  const actionsOf = (task: Task): MenuEntry[] => [
    { label: 'Run', icon: <IconPlayerPlay {...icon} />, onClick: () => onRun(task) },
    ...(canWrite
      ? [
          {
            label: task.writeAccess ? 'Edit' : 'Open',
            icon: <IconEdit {...icon} />,
            href: links.task(task.id),
          },
        ]
      : []),
    ...(canWrite && task.groupName !== ''
      ? [{ label: 'Versions', icon: <IconHistory {...icon} />, href: links.taskVersions(task.id) }]
      : []),
    ...(canWrite && task.writeAccess
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
  const hrefOf = canWrite ? ({ id }: Task) => links.task(id) : undefined
  const nameOf = ({ readableName }: Task) => readableName
  return (
    <>
      <ItemTable
        {...list}
        label="Tasks"
        columns={columnsOf(hrefOf, nameOf)}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={actionsOf}
        empty={empty}
      />
      <DeleteTaskDialog task={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}

function columnsOf(
  hrefOf: ((task: Task) => string) | undefined,
  nameOf: (task: Task) => string,
): Column<Task>[] {
  const authorOf = ({ modifiedBy }: Task) => modifiedBy
  const { name, group, version, updated, author } = itemColumns({ nameOf, hrefOf, authorOf, sortable: false })
  return [
    name,
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
      ...group,
      cell: (task, index) => (task.groupName === '' ? <Badge>Built in</Badge> : group.cell(task, index)),
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
    version,
    updated,
    author,
  ]
}
