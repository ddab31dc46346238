import { accountTabs } from '@headwater/accounts/web'
import { type FeatureRoutes, lazyPart, routeNames } from '@headwater/web-kit'

export { SecretDialog } from './components/SecretDialog.tsx'
export { useCanWriteSecrets, useSecretNames } from './secrets-client.ts'

const access = { resource: 'Science' } as const
const lazy = () => import('./components/SecretsPart.tsx')

/** The tab with personal secrets on the page My account, and the tool with the secrets of a group. */
export const secretsWeb: FeatureRoutes = {
  routes: [],
  tools: [{ id: 'group-secrets', access, lazy }],
  slotItems: [
    accountTabs.itemOf({
      hash: routeNames.secrets,
      label: 'Secrets',
      access,
      part: 'own',
      Content: lazyPart<object>(lazy),
    }),
  ],
}
