import { useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import {
  Button,
  call,
  Checkbox,
  type Column,
  DataTable,
  InputDialog,
  EmptyState,
  fieldErrors,
  Form,
  FormActions,
  intervals,
  links,
  message,
  NothingFound,
  PageHeader,
  routeKey,
  routeNames as names,
  SearchField,
  SubmitButton,
  TextField,
  TextLink,
  Time,
  Toolbar,
  useInfiniteList,
} from '@headwater/web-kit'
import { type Role, type User, createUser, listUsers } from '../../contract/index.ts'
import { roleNamesOf, rolesQuery } from '../accounts-client.ts'
import { useCan } from '../use-session.ts'
import { loginWays } from './login-methods.ts'
import { RolesField } from './RolesField.tsx'
import { UserStatus } from './UserStatus.tsx'

const columnsFor = (roles: readonly Role[] | undefined): Column<User>[] => [
  {
    id: 'userName',
    header: 'E-mail address',
    width: 'minmax(200px, 2fr)',
    cell: (user) => <TextLink href={links.user(user.userName)}>{user.userName}</TextLink>,
    text: (user) => user.userName,
  },
  {
    id: 'company',
    header: 'Company',
    width: 'minmax(120px, 1fr)',
    priority: 1,
    cell: (user) => user.company,
    quiet: true,
  },
  {
    id: 'roles',
    header: 'Roles',
    width: 'minmax(120px, 1fr)',
    cell: (user) => roleNamesOf(user, roles),
    text: (user) => roleNamesOf(user, roles),
    quiet: true,
  },
  { id: 'status', header: 'Status', width: 140, cell: (user) => <UserStatus user={user} /> },
  {
    id: 'authType',
    header: 'Login method',
    width: 180,
    priority: 2,
    cell: (user) => loginWays[user.authType],
    quiet: true,
  },
  {
    id: 'lastLogged',
    header: 'Last login',
    width: 150,
    align: 'end',
    quiet: true,
    cell: (user) =>
      user.lastLogged === undefined ? 'Never' : <Time value={user.lastLogged} show="datetime" />,
  },
]

/** The users of the company, by e-mail address. */
export default function UsersTab() {
  const [search] = useSearchParams()
  const query = search.get('query') ?? ''
  const list = useInfiniteList(listUsers, { query: { query } }, { intervalMs: intervals.listMs })
  const roles = useQuery(rolesQuery).data?.items
  const columns = useMemo(() => columnsFor(roles), [roles])
  const navigate = useNavigate()
  const can = useCan()
  const [creating, setCreating] = useState(false)
  const create = can('Companies', 'RW', 'MyAccount') ? (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setCreating(true)}>
      New user
    </Button>
  ) : undefined
  function find(text: string) {
    void navigate(
      { search: text === '' ? '' : `?query=${encodeURIComponent(text)}`, hash: names.users },
      { replace: true },
    )
  }
  return (
    <>
      <PageHeader actions={create} />
      <Toolbar>
        <SearchField label="Search users" value={query} onChange={find} />
      </Toolbar>
      <DataTable
        {...list}
        label="Users"
        columns={columns}
        rowKey={(user) => user.userName}
        rowHeight={36}
        onOpenRow={(user) => void navigate(links.user(user.userName))}
        empty={
          query === '' ? (
            <EmptyState title="No users yet" action={create} />
          ) : (
            <NothingFound>{`No e-mail address contains “${query}”.`}</NothingFound>
          )
        }
      />
      <CreateUserDialog open={creating} onClose={() => setCreating(false)} />
    </>
  )
}

function CreateUserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [roleIds, setRoleIds] = useState<number[]>([])
  const [withWelcomeEmail, setWithWelcomeEmail] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  function close() {
    setEmail('')
    setRoleIds([])
    setWithWelcomeEmail(false)
    setErrors({})
    onClose()
  }
  async function create() {
    await call(createUser, { body: { email: email.trim(), roleIds, withWelcomeEmail } })
    message(`${email.trim()} has been created.`)
    await queries.invalidateQueries({ queryKey: routeKey(listUsers) })
    close()
  }
  return (
    <InputDialog open={open} onClose={close} title="New user" unsaved={email !== ''}>
      <Form label="New user" onSubmit={create} onError={(error) => setErrors(fieldErrors(error))}>
        <TextField
          label="E-mail address"
          type="email"
          hint="The user receives an activation link. Without a mail server (HEADWATER_SMTP_URL), the e-mail is written to logs/mails.log in the data folder of the server."
          autoFocus
          required
          value={email}
          onChange={setEmail}
          error={errors.email}
        />
        <RolesField
          placeholder="Analyst by default"
          value={roleIds}
          onChange={setRoleIds}
          error={errors.roleIds}
        />
        <Checkbox
          label="Send a welcome e-mail when the account is active"
          checked={withWelcomeEmail}
          onChange={setWithWelcomeEmail}
        />
        <FormActions>
          <Button onClick={close}>Cancel</Button>
          <SubmitButton disabled={email.trim() === ''}>Create</SubmitButton>
        </FormActions>
      </Form>
    </InputDialog>
  )
}
