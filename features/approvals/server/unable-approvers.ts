import type { Accounts } from '@headwater/accounts/server'
import { readsApprovals } from '../contract/index.ts'

/** Returns the addresses whose users cannot decide: without an active account, or without access to the page of the decision. */
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

/** Returns a sentence with the approvers who cannot decide and with what they need. */
export function unableText(unable: readonly string[]): string {
  return `These approvers cannot decide: ${unable.join(', ')}. Approvers need an active account with a role that builds pipelines, such as Analyst or Pipeline builder.`
}
