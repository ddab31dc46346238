import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import {
  ApiError,
  Button,
  EmptyState,
  ErrorState,
  Page,
  PageHeader,
  Panel,
  Skeleton,
  StorageSize,
  Time,
  links,
  routeKey,
} from '@headwater/web-kit'
import { type UserDetails, getUser, listUsers } from '../../contract/index.ts'
import { roleNamesOf, rolesQuery, userQuery } from '../accounts-client.ts'
import { ChangeRolesDialog } from '../components/ChangeRolesDialog.tsx'
import { loginWays } from '../components/login-methods.ts'
import { type UserAction, UserActionDialog } from '../components/UserActionDialog.tsx'
import { UserApiKeys } from '../components/UserApiKeys.tsx'
import { UserSessions } from '../components/UserSessions.tsx'
import { UserStatus } from '../components/UserStatus.tsx'
import { useCan } from '../use-session.ts'
import styles from './UserScreen.module.css'

/** One user for administrators: details, sessions, API keys, and actions that revoke access. */
export default function UserScreen() {
  const { email = '' } = useParams()
  const userState = useQuery(userQuery(email))
  const queries = useQueryClient()
  const canManage = useCan()('Companies', 'RW', 'MyAccount')
  const [action, setAction] = useState<UserAction>()
  const [changesRoles, setChangesRoles] = useState(false)
  const user = userState.data
  const isManaged = user === undefined || user.sessions !== undefined
  const act = canManage && isManaged ? setAction : undefined
  async function reload() {
    await Promise.all([
      queries.invalidateQueries({ queryKey: routeKey(getUser) }),
      queries.invalidateQueries({ queryKey: routeKey(listUsers) }),
    ])
  }
  if (userState.error instanceof ApiError && userState.error.status === 404)
    return (
      <Page>
        <PageHeader title={email} />
        <EmptyState
          title="User not found"
          action={<Button href={links.myAccount('users')}>Show all users</Button>}
        >
          No user has the e-mail address {email}.
        </EmptyState>
      </Page>
    )
  return (
    <Page>
      <PageHeader
        title={email}
        actions={
          user === undefined || act === undefined ? undefined : (
            <>
              <Button onClick={() => setChangesRoles(true)}>Change roles</Button>
              <StatusButton user={user} onAct={act} />
            </>
          )
        }
      />
      {user === undefined && userState.error ? (
        <ErrorState error={userState.error} onRetry={() => void userState.refetch()} />
      ) : (
        <div className={styles.columns}>
          <Panel title={email}>{user === undefined ? <Loading /> : <Facts user={user} />}</Panel>
          {isManaged ? (
            <div className={styles.access}>
              <UserSessions sessions={user?.sessions} onAct={act} />
              <UserApiKeys keys={user?.apiKeys} onAct={act} />
            </div>
          ) : (
            <EmptyState title="Sessions and API keys are hidden">
              You need permission to manage this user.
            </EmptyState>
          )}
        </div>
      )}
      {changesRoles && user !== undefined ? (
        <ChangeRolesDialog user={user} onClose={() => setChangesRoles(false)} onDone={reload} />
      ) : null}
      <UserActionDialog email={email} action={action} onClose={() => setAction(undefined)} onDone={reload} />
    </Page>
  )
}

function StatusButton({ user, onAct }: { user: UserDetails; onAct: (action: UserAction) => void }) {
  return user.status === 'INACTIVE' ? (
    <Button variant="primary" onClick={() => onAct({ kind: 'reactivate' })}>
      Reactivate
    </Button>
  ) : (
    <Button variant="danger" onClick={() => onAct({ kind: 'deactivate' })}>
      Deactivate
    </Button>
  )
}

function Loading() {
  return (
    <div className={styles.facts}>
      <Skeleton lines={6} />
    </div>
  )
}

function Facts({ user }: { user: UserDetails }) {
  const roles = useQuery(rolesQuery).data?.items
  return (
    <dl className={styles.facts}>
      <dt>Company</dt>
      <dd>{user.company}</dd>
      <dt>Status</dt>
      <dd>
        <UserStatus user={user} />
      </dd>
      <dt>Roles</dt>
      <dd>{roles === undefined ? <Skeleton width={120} /> : roleNamesOf(user, roles)}</dd>
      <dt>Login method</dt>
      <dd>{loginWays[user.authType]}</dd>
      <dt>Activated</dt>
      <dd>{user.activated ? 'Yes' : 'No'}</dd>
      <dt>Last login</dt>
      <dd>
        {user.lastLogged === undefined ? 'Never' : <Time value={user.lastLogged} show="datetime" relative />}
      </dd>
      <dt>Stored files</dt>
      <dd>
        <StorageSize bytes={user.storedBytes} />
      </dd>
      <dt>ID</dt>
      <dd>
        <code>{user.sub}</code>
      </dd>
    </dl>
  )
}
