import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { entitlement } from './entitlements.ts'

/** The areas that can open after sign-in. */
export const landingPages = ['data lake', 'data science', 'data storage', 'insight'] as const

const favourites = (what: string) => z.string().describe(`JSON text of a list: the favourite ${what}.`)

/** The settings of a user. Lists of favourites are JSON texts. */
export const userSettings = z.object({
  userName: z.string().describe('The e-mail address of the user; cannot be changed here.'),
  company: z.string().describe('The company of the user; cannot be changed here.'),
  favoritePipelines: favourites('pipelines: name, groupName, id, tags, trigger, favorite'),
  favoriteGroups: favourites('groups: name, favorite'),
  favoriteDataPreps: favourites('data preps: id, favorite, modifyDate, name, groupName, status'),
  favoriteInsights: favourites('insights: fileName, groupName, favorite'),
  columns: z.string().describe('JSON text of an object: the visible columns of each list, by list.'),
  symbolsDisplay: z.string().describe('How symbols are written in lists.'),
  storageGroupsHidden: z.string().describe('JSON text of a list: groups hidden in Storage.'),
  dashboardUserTabs: z.string().describe('JSON text of an array of tabs, each with a tag.'),
  darkmode: z.enum(['ON', 'OFF', 'AUTO']).describe('Colour scheme; AUTO follows the system. Default OFF.'),
  darkmodeChosen: z
    .boolean()
    .describe(
      'Whether the user has saved a colour scheme. Until then, the web app follows the system. Cannot be changed here.',
    ),
  defaultPage: z.enum(landingPages).describe('Landing page after sign-in, default insight.'),
  definedTime: z.string().describe('IANA time zone, default UTC.'),
  storageScreen: z
    .enum(['Table', 'Basket', 'Charts'])
    .describe('Tab of the data prep creator that opens first. Default Table.'),
  warehouse: z.enum(['ON', 'OFF']).describe('Whether queries go to the warehouse source. Default OFF.'),
  datalakeLayout: z
    .enum(['VERSIONS', 'LATEST'])
    .describe('Whether file lists show every version or only the latest. Default LATEST.'),
  roundingEnabled: z.boolean().describe('Whether values are rounded on screen. Default true.'),
  decimalPrecision: z.int().min(0).max(15).describe('Decimal places when rounding, 0 to 15, default 2.'),
  additionalParameters: z.string().describe('JSON text of additional parameters, by name.'),
  defaultGroup: z.string().describe('Group offered first in forms; default the user name followed by _home.'),
  language: z.string().describe('Language code, default eng.'),
  downloadFormat: z
    .enum(['STANDARD', 'FAST_NCSV'])
    .describe('Download format; Ncsv is stored as FAST_NCSV. Default STANDARD.'),
  companyTags: z.array(z.string()).describe('Tags of the company of the user; cannot be changed here.'),
})
/** The settings of a user, as a type. */
export type UserSettings = z.infer<typeof userSettings>

/** The settings that hold lists of favourites. */
export type FavoriteSetting =
  'favoritePipelines' | 'favoriteGroups' | 'favoriteDataPreps' | 'favoriteInsights'

/** The settings that a client can change. Unknown values become the default, as specified; they are not refused. */
export const settingsChange = z
  .object({
    favoritePipelines: z.string().max(1_000_000).describe('JSON text of a list; see the settings.'),
    favoriteGroups: z.string().max(1_000_000).describe('JSON text of a list; see the settings.'),
    favoriteDataPreps: z.string().max(1_000_000).describe('JSON text of a list; see the settings.'),
    favoriteInsights: z.string().max(1_000_000).describe('JSON text of a list; see the settings.'),
    columns: z.string().max(100_000).describe('JSON text of an object: the visible columns by list.'),
    symbolsDisplay: z.string().max(1000).describe('Format of symbols in lists.'),
    storageGroupsHidden: z.string().max(1_000_000).describe('JSON text of a list: groups hidden in Storage.'),
    dashboardUserTabs: z.string().max(100_000).describe('JSON text of an array of tabs, each with a tag.'),
    darkmode: z.string().max(10).describe('ON, OFF or AUTO; other values become OFF.'),
    defaultPage: z.string().max(50).describe('One of the landing pages; other values become insight.'),
    definedTime: z.string().max(100).describe('IANA time zone; other values become UTC.'),
    storageScreen: z.string().max(20).describe('Table, Basket or Charts; other values become Table.'),
    warehouse: z.string().max(10).describe('ON or OFF; other values become OFF.'),
    datalakeLayout: z.string().max(20).describe('VERSIONS or LATEST; other values become LATEST.'),
    roundingEnabled: z.boolean().describe('Whether values are rounded on screen.'),
    decimalPrecision: z.int().min(0).max(15).describe('Decimal places when rounding, 0 to 15.'),
    additionalParameters: z
      .string()
      .max(100_000)
      .describe('JSON text of an object: additional parameters by name.'),
    defaultGroup: z.string().max(300).describe('Group name; empty becomes the home group.'),
    language: z.string().max(10).describe('Language code; empty becomes eng.'),
    downloadFormat: z
      .string()
      .max(20)
      .describe('STANDARD, FAST_NCSV or Ncsv (stored as FAST_NCSV); other values become STANDARD.'),
  })
  .partial()
  .describe('The settings to change; absent ones keep their value.')

/** The response of the settings routes. */
export const currentUser = z.object({
  settings: userSettings.describe('The settings of the calling user, defaults filled in.'),
  uiEntitlements: z.array(entitlement).describe('All entitlements of the user.'),
  defaultPage: z
    .enum(landingPages)
    .describe('The same as in the settings, at the top level for existing clients.'),
})
/** The response of the settings routes, as a type. */
export type CurrentUser = z.infer<typeof currentUser>

/** Route `GET /auth/settings`. */
export const getSettings = defineRoute({
  name: 'getSettings',
  method: 'GET',
  path: '/auth/settings',
  summary: 'The settings and entitlements of the calling user.',
  permission: 'signed-in',
  output: currentUser,
})

/** Route `PUT /auth/settings`. */
export const updateSettings = defineRoute({
  name: 'updateSettings',
  method: 'PUT',
  path: '/auth/settings',
  summary: 'Changes settings of the calling user and returns all of them.',
  permission: 'signed-in',
  body: z.object({ settings: settingsChange }),
  bodyBytes: largeBodyBytes,
  output: currentUser,
  errors: ['tabsNotJson', 'favouritesNotJson', 'settingNotJson'],
})
