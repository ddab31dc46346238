import { useMemo, useState } from 'react'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconWorldOff from '@tabler/icons-react/dist/esm/icons/IconWorldOff.mjs'
import {
  Badge,
  Button,
  type Column,
  DataTable,
  EmptyState,
  formatNumber,
  GroupLink,
  IconButton,
  links,
  PageHeader,
  TextLink,
  Time,
} from '@headwater/web-kit'
import type { TaskWithHosts } from '../../contract/index.ts'
import { HostsDialog } from './HostsDialog.tsx'
import { useTaskHosts } from './hosts-client.ts'
import styles from './HostsTab.module.css'

/** Hosts that tasks can reach: internal hosts from the configuration, and hosts that administrators allow for scripts. */
export default function HostsTab() {
  const hosts = useTaskHosts()
  const [editing, setEditing] = useState<TaskWithHosts | 'new'>()
  const columns = useMemo(() => columnsOf(setEditing), [])
  const { items = [], totalSize = 0, internalHosts } = hosts.data ?? {}
  const allow = (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setEditing('new')}>
      Allow hosts
    </Button>
  )
  return (
    <>
      <PageHeader actions={allow} />
      {internalHosts === undefined ? null : <InternalHosts hosts={internalHosts} />}
      <h2 className={styles.title}>Scripts</h2>
      <p className={styles.note}>
        A script can reach only the hosts in this list. The list applies to all versions of the task; changes
        take effect immediately. Tasks without a script, such as HTTP requests, can reach all public hosts and
        the internal hosts above.
      </p>
      <DataTable
        label="Hosts of scripts"
        columns={columns}
        rows={hosts.data?.items}
        rowKey={({ taskId }) => taskId}
        rowHeight={36}
        error={hosts.data === undefined ? hosts.error : null}
        onRetry={() => void hosts.refetch()}
        empty={
          <EmptyState
            icon={<IconWorldOff size={20} stroke={1.6} />}
            title="No script can connect to a host"
            action={allow}
          >
            Allow the hosts that the script of a task can connect to.
          </EmptyState>
        }
      />
      {items.length < totalSize ? (
        <p
          className={styles.note}
        >{`The first ${formatNumber(items.length)} of ${formatNumber(totalSize)} tasks are listed.`}</p>
      ) : null}
      {editing === undefined ? null : (
        <HostsDialog
          task={editing === 'new' ? undefined : editing}
          allowed={items}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

function InternalHosts({ hosts }: { hosts: readonly string[] }) {
  return (
    <section aria-label="Internal hosts">
      <h2 className={styles.title}>Internal hosts</h2>
      {hosts.length === 0 ? (
        <p className={styles.note}>None. Tasks can only reach hosts with public addresses.</p>
      ) : (
        <p className={styles.hosts}>
          {hosts.map((host) => (
            <Badge key={host}>{host}</Badge>
          ))}
        </p>
      )}
      <p className={styles.note}>
        Hosts in your own network need an entry in the setting <code>HEADWATER_INTERNAL_HOSTS</code>, for
        example <code>files.example.local 10.0.0.5:8080</code>. Set it in the environment of each server and
        worker, then restart them.
      </p>
    </section>
  )
}

function columnsOf(edit: (task: TaskWithHosts) => void): Column<TaskWithHosts>[] {
  return [
    {
      id: 'task',
      header: 'Task',
      width: 'minmax(140px, 1.5fr)',
      text: ({ taskName }) => taskName,
      cell: ({ taskId, taskName }) => <TextLink href={links.task(taskId)}>{taskName}</TextLink>,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(100px, 1fr)',
      priority: 2,
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
    },
    {
      id: 'hosts',
      header: 'Hosts',
      width: 'minmax(160px, 3fr)',
      text: ({ hosts }) => hosts.join(', '),
      cell: ({ hosts }) => hosts.join(', '),
    },
    {
      id: 'changed',
      header: 'Changed',
      width: 150,
      quiet: true,
      priority: 3,
      cell: ({ modifyDate }) => (modifyDate === null ? '—' : <Time value={modifyDate} show="datetime" />),
    },
    {
      id: 'author',
      header: 'Changed by',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 4,
      text: ({ modifiedBy }) => modifiedBy ?? '',
      cell: ({ modifiedBy }) => modifiedBy,
    },
    {
      id: 'edit',
      header: <span className="visually-hidden">Actions</span>,
      width: 32,
      align: 'end',
      cell: (task) => (
        <IconButton
          label={`Change the hosts of ${task.taskName}`}
          icon={<IconPencil size={15} stroke={1.6} />}
          onClick={() => edit(task)}
        />
      ),
    },
  ]
}
