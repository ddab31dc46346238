import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import {
  EmptyState,
  ErrorState,
  Page,
  PageHeader,
  Panel,
  Skeleton,
  Time,
  call,
  links,
  routeKey,
  Button,
} from '@headwater/web-kit'
import { listUsers } from '../../contract/index.ts'
import { rolesQuery } from '../accounts-client.ts'
import { loginWays } from '../components/login-ways.ts'
import { UserStatus } from '../components/UserStatus.tsx'
import styles from './UserScreen.module.css'

/** One user as administrators see one. */
export default function UserScreen() {
  const { email = '' } = useParams()
  const input = { query: { query: email, size: 100 } }
  const users = useQuery({
    queryKey: routeKey(listUsers, input),
    queryFn: ({ signal }) => call(listUsers, input, { signal }),
  })
  const roles = useQuery(rolesQuery)
  const user = users.data?.items.find((one) => one.userName.toLowerCase() === email.toLowerCase())
  const roleNames = roles.data?.items
    .filter((role) => user?.roleIds.includes(role.id))
    .map((role) => role.name)
  return (
    <Page>
      <PageHeader title={email} />
      {users.error ? <ErrorState error={users.error} onRetry={() => void users.refetch()} /> : null}
      {users.data !== undefined && user === undefined ? (
        <EmptyState
          title="User not found"
          action={<Button href={links.myAccount('users')}>All users</Button>}
        >
          No user has the e-mail address {email}.
        </EmptyState>
      ) : null}
      {users.error || (users.data !== undefined && user === undefined) ? null : (
        <Panel title={email} className={styles.panel}>
          {user === undefined ? (
            <div className={styles.facts}>
              <Skeleton lines={5} />
            </div>
          ) : (
            <dl className={styles.facts}>
              <dt>Company</dt>
              <dd>{user.company}</dd>
              <dt>Status</dt>
              <dd>
                <UserStatus user={user} />
              </dd>
              <dt>Roles</dt>
              <dd>{roleNames === undefined ? <Skeleton width={120} /> : roleNames.join(', ') || 'None'}</dd>
              <dt>Login method</dt>
              <dd>{loginWays[user.authType]}</dd>
              <dt>Activated</dt>
              <dd>{user.activated ? 'Yes' : 'No'}</dd>
              <dt>Last login</dt>
              <dd>
                {user.lastLogged === undefined ? (
                  'Never'
                ) : (
                  <Time value={user.lastLogged} show="datetime" relative />
                )}
              </dd>
              <dt>Id</dt>
              <dd>
                <code>{user.sub}</code>
              </dd>
            </dl>
          )}
        </Panel>
      )}
    </Page>
  )
}
