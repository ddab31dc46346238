import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import {
  Button,
  HashTabs,
  Page,
  PageHeader,
  PartBoundary,
  Skeleton,
  Toolbar,
  lazyPart,
  links,
  routeNames as names,
  useHashTab,
  useProductConfig,
  useSlot,
} from '@headwater/web-kit'
import { useCan } from '../use-session.ts'
import { type AccountTab, accountTabs } from '../slots.ts'
import SettingsTab from '../components/SettingsTab.tsx'

const ApiKeysTab = lazyPart(() => import('../components/ApiKeysTab.tsx'))
const UsersTab = lazyPart(() => import('../components/UsersTab.tsx'))
const RolesTab = lazyPart(() => import('../components/RolesTab.tsx'))
const StorageTab = lazyPart(() => import('../components/StorageTab.tsx'))
const CompaniesTab = lazyPart(() => import('../components/CompaniesTab.tsx'))

/**
 * My account: settings and API keys; users and roles for company managers; limits of stored files for administrators. Later
 * features add tabs.
 */
export default function MyAccountScreen() {
  const can = useCan()
  const { apiKeysEnabled } = useProductConfig()
  const added = useSlot(accountTabs).filter(({ access }) => can(access.resource, access.mode, access.parent))
  const addedTo = (part: AccountTab['part']) => added.filter((tab) => tab.part === part)
  const managing = can('Companies', 'R', 'MyAccount')
  const tabs = [
    { hash: names.settings, label: 'Settings' },
    ...(apiKeysEnabled ? [{ hash: names.apiKeys, label: 'API keys' }] : []),
    ...addedTo('own'),
    ...(managing
      ? [
          { hash: names.companies, label: 'Companies' },
          { hash: names.users, label: 'Users' },
          { hash: names.roles, label: 'Roles' },
        ]
      : []),
    ...(can('Administrator') ? [{ hash: names.storage, label: 'Storage' }] : []),
    ...addedTo('installation'),
  ]
  const active = useHashTab(tabs)
  const Added = added.find(({ hash }) => hash === active)?.Content
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
      <PartBoundary fallback={<Skeleton lines={4} />}>
        {active === names.settings ? <SettingsTab /> : null}
        {active === names.apiKeys ? <ApiKeysTab /> : null}
        {active === names.companies ? <CompaniesTab /> : null}
        {active === names.users ? <UsersTab /> : null}
        {active === names.roles ? <RolesTab /> : null}
        {active === names.storage ? <StorageTab /> : null}
        {Added === undefined ? null : <Added />}
      </PartBoundary>
    </Page>
  )
}
