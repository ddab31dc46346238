import { z } from 'zod'
import type { CurrentUser, FavoriteSetting } from '@headwater/accounts/contract'
import { entitlementsOf } from './accounts-cache.ts'
import { acceptChange, completeSettings, type LooseSettings, type OwnSettings } from './setting-rules.ts'
import type { SettingsStore } from './settings-store.ts'
import type { Account } from './users-store.ts'

/** The settings of users. */
export interface SettingsService {
  /** Returns all settings and entitlements, with defaults. */
  get(account: Account): Promise<CurrentUser>
  /** Changes settings; throws `tabsNotJson`, `favouritesNotJson`, `settingNotJson`. Writes only changed values. */
  update(account: Account, change: LooseSettings): Promise<CurrentUser>
  /** Returns the names in a list of favourites, without entries that are no longer favourites. */
  favoriteNames(userId: number, setting: FavoriteSetting): Promise<string[]>
  /** Returns the ids in a list of favourites, without entries that are no longer favourites. */
  favoriteIds(userId: number, setting: FavoriteSetting): Promise<string[]>
}

/** Creates the service of settings. */
export function createSettingsService({ store }: { store: SettingsStore }): SettingsService {
  return {
    async get(account) {
      return toCurrentUser(account, await store.find(account.userId))
    },
    async update(account, change) {
      const accepted = acceptChange(account.userName, change)
      const stored: LooseSettings = await store.find(account.userId)
      const present = completeSettings(account.userName, stored)
      const changed = Object.entries(accepted).filter(
        ([key, value]) =>
          present[key as keyof OwnSettings] !== value ||
          // Saving the default is a choice: the page no longer follows the system.
          (key === 'darkmode' && stored.darkmode === undefined),
      )
      if (changed.length > 0) await store.merge(account.userId, Object.fromEntries(changed))
      return toCurrentUser(account, { ...stored, ...Object.fromEntries(changed) })
    },
    async favoriteNames(userId, setting) {
      const { [setting]: text } = await store.find(userId)
      return typeof text === 'string' ? namesIn(text) : []
    },
    async favoriteIds(userId, setting) {
      const { [setting]: text } = await store.find(userId)
      return typeof text === 'string' ? favoritesIn(text).flatMap(({ id }) => id ?? []) : []
    },
  }
}

function toCurrentUser(account: Account, stored: LooseSettings): CurrentUser {
  const { userName, company, companyTags } = account
  const settings = completeSettings(userName, stored)
  const darkmodeChosen = stored.darkmode !== undefined
  return {
    settings: { ...settings, darkmodeChosen, userName, company, companyTags },
    uiEntitlements: entitlementsOf(account),
    defaultPage: settings.defaultPage,
  }
}

const favorite = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  fileName: z.string().optional(),
  favorite: z.boolean().optional(),
})

function namesIn(json: string): string[] {
  return favoritesIn(json).flatMap(({ name, fileName }) => name ?? fileName ?? [])
}

function favoritesIn(json: string): z.output<typeof favorite>[] {
  const list: unknown = JSON.parse(json)
  const entries = Array.isArray(list) ? list.flatMap((entry) => favorite.safeParse(entry).data ?? []) : []
  return entries.filter((entry) => entry.favorite !== false)
}
