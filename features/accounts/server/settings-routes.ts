import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { commonErrors } from '@headwater/contract'
import type { Router } from '@headwater/server-kit'
import type { AccountsCache } from './accounts-cache.ts'
import type { SettingsService } from './settings-service.ts'
import type { Account } from './users-store.ts'

/** Registers the routes of a user's own settings. */
export function registerSettingsRoutes(
  router: Router,
  { accounts, settings }: { accounts: AccountsCache; settings: SettingsService },
): void {
  async function getAccount(userId: number): Promise<Account> {
    const account = await accounts.get(userId)
    if (account === undefined) throw commonErrors.signInNeeded()
    return account
  }

  router.add(getSettings, async (_input, { principal }) =>
    settings.get(principal, await getAccount(principal.userId)),
  )

  router.add(updateSettings, async ({ body }, { principal }) =>
    settings.update(principal, await getAccount(principal.userId), body.settings),
  )
}
