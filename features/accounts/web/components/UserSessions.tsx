import { Button, type Column, DataTable, EmptyState, Time } from '@headwater/web-kit'
import type { UserSession } from '../../contract/index.ts'
import type { UserAction } from './UserActionDialog.tsx'
import styles from './UserAccess.module.css'

const columns: Column<UserSession>[] = [
  {
    id: 'started',
    header: 'Logged in',
    width: 'minmax(150px, 1fr)',
    cell: (session) => <Time value={session.startedAt} show="datetime" />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 150,
    quiet: true,
    cell: (session) => <Time value={session.lastUsedAt} show="datetime" />,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 150,
    quiet: true,
    priority: 1,
    cell: (session) => <Time value={session.expiresAt} show="datetime" />,
  },
]

/** The sessions of a user; `onAct` is absent if the caller cannot end them. */
export function UserSessions({
  sessions,
  onAct,
}: {
  sessions: readonly UserSession[] | undefined
  onAct: ((action: UserAction) => void) | undefined
}) {
  const hasSome = sessions !== undefined && sessions.length > 0
  return (
    <section aria-label="Sessions">
      <div className={styles.head}>
        <h2 className={styles.title}>Sessions</h2>
        {onAct !== undefined && hasSome ? (
          <Button onClick={() => onAct({ kind: 'endSessions' })}>End all sessions</Button>
        ) : null}
      </div>
      <div className={styles.table}>
        <DataTable
          label="Sessions"
          columns={columns}
          rows={sessions}
          rowKey={(session) => session.id}
          empty={<EmptyState title="No sessions">This user is not logged in anywhere.</EmptyState>}
        />
      </div>
    </section>
  )
}
