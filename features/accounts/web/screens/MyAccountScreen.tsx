import { Suspense, lazy } from 'react'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import {
  Button,
  HashTabs,
  Page,
  PageHeader,
  Skeleton,
  Toolbar,
  links,
  routeNames as names,
  useHashTab,
  useProductConfig,
} from '@headwater/web-kit'
import { useCan } from '../use-session.ts'
import SettingsTab from '../components/SettingsTab.tsx'

const ApiKeysTab = lazy(() => import('../components/ApiKeysTab.tsx'))
const UsersTab = lazy(() => import('../components/UsersTab.tsx'))
const RolesTab = lazy(() => import('../components/RolesTab.tsx'))
const CompaniesTab = lazy(() => import('../components/CompaniesTab.tsx'))

/** My account: settings, API keys and, for those who manage a company, its users and roles. */
export default function MyAccountScreen() {
  const can = useCan()
  const { apiKeysEnabled } = useProductConfig()
  const managing = can('Companies', 'R', 'MyAccount')
  const tabs = [
    { hash: names.settings, label: 'Settings' },
    ...(apiKeysEnabled ? [{ hash: names.apiKeys, label: 'API keys' }] : []),
    ...(managing
      ? [
          { hash: names.companies, label: 'Companies' },
          { hash: names.users, label: 'Users' },
          { hash: names.roles, label: 'Roles' },
        ]
      : []),
  ]
  const active = useHashTab(tabs)
  return (
    <Page>
      <PageHeader
        actions={
          <Button icon={<IconLogout size={16} stroke={1.6} />} href={links.logout()}>
            Log out
          </Button>
        }
      />
      <Toolbar>
        <HashTabs label="My account" tabs={tabs} />
      </Toolbar>
      <Suspense fallback={<Skeleton lines={4} />}>
        {active === names.settings ? <SettingsTab /> : null}
        {active === names.apiKeys ? <ApiKeysTab /> : null}
        {active === names.companies ? <CompaniesTab /> : null}
        {active === names.users ? <UsersTab /> : null}
        {active === names.roles ? <RolesTab /> : null}
      </Suspense>
    </Page>
  )
}
