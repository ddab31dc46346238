import type { Page } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import {
  formatUtcSeconds,
  unlessRefused,
  type Clock,
  type KeyRing,
  type Principal,
} from '@headwater/server-kit'
import { secretErrors, type Secret } from '../contract/index.ts'
import type { SecretOwner, SecretsStore } from './secrets-store.ts'

/** Dependencies of the service. */
export interface SecretsServiceDependencies {
  /** Stored secrets. */
  store: SecretsStore
  /** Checks access to groups. */
  groups: GroupAccess
  /** Encrypts the values. */
  keyRing: KeyRing
  /** Clock for the dates of stored values. */
  clock: Clock
}

/** Maximum number of secrets of a user or group. */
const maxSecrets = 200

/** The service of secrets. */
export type SecretsService = ReturnType<typeof createSecretsService>

/**
 * Creates the service of secrets. Users have access to their personal secrets, and to group secrets according to their access
 * to the group.
 */
export function createSecretsService(deps: SecretsServiceDependencies) {
  const { store, keyRing, clock } = deps
  return {
    async list(
      principal: Principal,
      { groupName, from, size }: { groupName?: string | undefined; from: number; size: number },
    ): Promise<Page<Secret>> {
      const owner = await findOwner(deps, principal, groupName, 'R')
      const { items, total } = await store.list(owner, { from, size })
      return {
        from,
        totalSize: total,
        items: items.map(({ name, savedBy, savedAt }) => present(name, groupName, savedBy, savedAt)),
      }
    },

    async put(
      principal: Principal,
      name: string,
      { value, groupName, isNew }: { value: string; groupName?: string | undefined; isNew: boolean },
    ): Promise<Secret> {
      const owner = await findOwner(deps, principal, groupName, 'RW')
      const savedAt = clock.now()
      const encrypted = keyRing.encrypt(value, contextOf(owner, name))
      const stored = { name, value: encrypted, savedBy: principal.userId, savedAt }
      const result = await store.put(owner, stored, { max: maxSecrets, isNew })
      if (result === 'taken') throw secretErrors.secretNameTaken({ name })
      if (result === 'full') throw secretErrors.tooManySecrets({ max: maxSecrets })
      return present(name, groupName, principal.userName, savedAt)
    },

    async remove(principal: Principal, name: string, groupName: string | undefined): Promise<void> {
      const owner = await findOwner(deps, principal, groupName, 'RW')
      if (!(await store.remove(owner, name))) throw secretErrors.secretNotFound({ name, groupName })
    },

    /** Adds a key and re-encrypts all secrets with it; returns their number. */
    async rotate(): Promise<number> {
      await keyRing.addKey()
      return store.changeValues(async (owner, name, value) => {
        if (!keyRing.isOutdated(value)) return undefined
        const context = contextOf(owner, name)
        return keyRing.encrypt(await keyRing.decrypt(value, context), context)
      })
    },

    /**
     * Returns the value of a secret for a run of a user; undefined if the secret does not exist or the user lacks access to the
     * group.
     * @param groupName undefined for a personal secret of the user
     * @param mode access to the group that the user needs
     */
    async reveal(
      principal: Principal,
      name: string,
      groupName?: string,
      mode: 'R' | 'RW' = 'R',
    ): Promise<string | undefined> {
      const owner = await unlessRefused(findOwner(deps, principal, groupName, mode))
      const encrypted = owner && (await store.find(owner, name))
      return encrypted === undefined ? undefined : keyRing.decrypt(encrypted, contextOf(owner!, name))
    },
  }
}

async function findOwner(
  { groups }: SecretsServiceDependencies,
  principal: Principal,
  groupName: string | undefined,
  mode: 'R' | 'RW',
): Promise<SecretOwner> {
  if (groupName === undefined) return { userId: principal.userId }
  return { groupId: (await groups.getGroup(principal, groupName, mode)).id }
}

/** Binds an encrypted value to its record: it cannot be decrypted in a different record. */
function contextOf(owner: SecretOwner, name: string): string {
  return 'groupId' in owner
    ? `secret of group ${owner.groupId}: ${name}`
    : `secret of user ${owner.userId}: ${name}`
}

function present(name: string, groupName: string | undefined, modifiedBy: string, savedAt: Date): Secret {
  return { name, groupName: groupName ?? null, modifyDate: formatUtcSeconds(savedAt), modifiedBy }
}
