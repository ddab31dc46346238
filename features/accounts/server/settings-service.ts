import { z } from 'zod'
import type { CurrentUser, FavoriteSetting } from '@headwater/accounts/contract'
import type { Principal } from '@headwater/server-kit'
import { entitlementsOf } from './accounts-cache.ts'
import { followFavourites, parseFavouriteIds, type FavouriteObjects } from './favourite-objects.ts'
import { acceptChange, completeSettings, type LooseSettings, type OwnSettings } from './setting-rules.ts'
import type { SettingsStore } from './settings-store.ts'
import type { Account } from './users-store.ts'

/** The settings of users. */
export interface SettingsService {
  /** Returns all settings and entitlements, with defaults. Favourite insights have their current names. */
  get(principal: Principal, account: Account): Promise<CurrentUser>
  /** Changes settings; throws `tabsNotJson`, `favouritesNotJson`, `settingNotJson`. Writes only changed values. */
  update(principal: Principal, account: Account, change: LooseSettings): Promise<CurrentUser>
  /** Sets how favourite insights are found; until then they keep the stored names. */
  connectInsights(insights: FavouriteObjects): void
  /** Returns the names in a list of favourites, without entries that are no longer favourites. */
  favoriteNames(userId: number, setting: FavoriteSetting): Promise<string[]>
  /** Returns the ids in a list of favourites, without entries that are no longer favourites. */
  favoriteIds(userId: number, setting: FavoriteSetting): Promise<string[]>
}

/** Settings of a user in the database. Clients do not see the ids of favourite insights. */
interface StoredSettings extends LooseSettings {
  favoriteInsightIds?: unknown
}

/** Creates the service of settings. */
export function createSettingsService({ store }: { store: SettingsStore }): SettingsService {
  let insights: FavouriteObjects | undefined

  /** Returns the settings with the current names of favourite insights, and stores the ids of entries that have none. */
  async function withNames(principal: Principal, stored: StoredSettings): Promise<LooseSettings> {
    const { favoriteInsights, favoriteInsightIds, ...others } = stored
    if (insights === undefined || favoriteInsights === undefined) return stored
    const known = parseFavouriteIds(favoriteInsightIds)
    const { text, ids } = await followFavourites(insights, principal, favoriteInsights, {
      known,
      prefersNames: false,
    })
    if (Object.keys(ids).some((key) => known[key] !== ids[key]))
      await store.merge(principal.userId, { favoriteInsightIds: ids })
    return { ...others, favoriteInsights: text }
  }

  /** Returns the ids of a saved list of favourite insights. */
  async function idsOf(principal: Principal, { favoriteInsightIds }: StoredSettings, text: unknown) {
    if (insights === undefined || typeof text !== 'string') return {}
    const known = parseFavouriteIds(favoriteInsightIds)
    const { ids } = await followFavourites(insights, principal, text, { known, prefersNames: true })
    return { favoriteInsightIds: ids }
  }

  return {
    async get(principal, account) {
      return toCurrentUser(account, await withNames(principal, await store.find(account.userId)))
    },
    connectInsights(given) {
      insights = given
    },
    async update(principal, account, change) {
      const accepted = acceptChange(account.userName, change)
      const stored: StoredSettings = await store.find(account.userId)
      const present = completeSettings(account.userName, stored)
      const changed = Object.entries(accepted).filter(
        ([key, value]) =>
          present[key as keyof OwnSettings] !== value ||
          // Saving the default is a choice: the page no longer follows the system.
          (key === 'darkmode' && stored.darkmode === undefined),
      )
      const changes = Object.fromEntries(changed)
      const written = { ...changes, ...(await idsOf(principal, stored, changes['favoriteInsights'])) }
      if (changed.length > 0) await store.merge(account.userId, written)
      return toCurrentUser(account, await withNames(principal, { ...stored, ...written }))
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
