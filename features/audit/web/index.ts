import { accountTabs } from '@headwater/accounts/web'
import { type FeatureRoutes, lazyPart, routeNames } from '@headwater/web-kit'

/** The tab of the audit log on the page My account, for administrators. */
export const auditWeb: FeatureRoutes = {
  routes: [],
  slotItems: [
    accountTabs.itemOf({
      hash: routeNames.audit,
      label: 'Audit log',
      access: { resource: 'Administrator' },
      part: 'installation',
      Content: lazyPart(() => import('./AuditTab.tsx')),
    }),
  ],
}
