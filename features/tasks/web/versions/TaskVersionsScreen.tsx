import { useNavigate, useParams } from 'react-router'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import {
  Button,
  type Column,
  DataTable,
  links,
  Page,
  PageHeader,
  TextLink,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { listTaskVersions, type Task } from '../../contract/index.ts'

/** Every version of a task; one that is opened can be saved again as the newest. */
export default function TaskVersionsScreen() {
  const { id: taskId = '' } = useParams()
  const navigate = useNavigate()
  const list = useInfiniteList(listTaskVersions, { params: { taskId }, query: {} })
  const newest = list.rows?.[0]
  return (
    <Page>
      <PageHeader
        {...(newest === undefined ? {} : { title: `Versions of ${newest.readableName}` })}
        actions={
          <Button icon={<IconEdit size={16} stroke={1.6} />} href={links.task(taskId)}>
            Open task
          </Button>
        }
      />
      <DataTable
        {...list}
        label="Versions"
        rowHeight={36}
        columns={columns}
        rowKey={({ version }) => String(version)}
        onOpenRow={(task) => void navigate(hrefOf(task))}
      />
    </Page>
  )
}

function hrefOf({ id, version, latest }: Task): string {
  return links.task(id, latest ? {} : { version })
}

const columns: Column<Task>[] = [
  {
    id: 'version',
    header: 'Version',
    width: 120,
    cell: (task) => (
      <TextLink href={hrefOf(task)}>{`v${task.version}${task.latest ? ' · newest' : ''}`}</TextLink>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(140px, 1fr)',
    text: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    id: 'group',
    header: 'Group',
    width: 'minmax(110px, 1fr)',
    quiet: true,
    priority: 1,
    text: ({ groupName }) => groupName,
    cell: ({ groupName }) => groupName,
  },
  {
    id: 'by',
    header: 'Saved by',
    width: 'minmax(140px, 1fr)',
    text: ({ modifiedBy }) => modifiedBy ?? '',
    cell: ({ modifiedBy }) => modifiedBy,
  },
  {
    id: 'date',
    header: 'Saved',
    width: 150,
    align: 'end',
    quiet: true,
    cell: ({ modifyDate }) => <Time value={modifyDate} show="datetime" />,
  },
]
