import type { Accounts } from '@headwater/accounts/server'
import { readsApprovals } from '../contract/index.ts'

/** Returns the addresses of users who cannot decide because they have no active account or no access to the approval page. */
export async function findUnableApprovers(
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal'>,
  addresses: readonly string[],
): Promise<string[]> {
  const unable: string[] = []
  for (const address of addresses) {
    const user = await accounts.findUserByName(address)
    const principal = user === undefined ? undefined : await accounts.findPrincipal(user.userId)
    if (principal?.can(readsApprovals.resource, readsApprovals.mode) !== true) unable.push(address)
  }
  return unable
}
