import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { entitlement } from './entitlements.ts'

/** The areas a user may land on after sign-in. */
export const landingPages = ['data lake', 'data science', 'data storage', 'insight'] as const

const favourites = (what: string) => z.string().describe(`JSON text of a list: the favourite ${what}.`)

/** The settings of a user. Lists of favourites travel as JSON text. */
export const userSettings = z.object({
  userName: z.string().describe('The e-mail address of the user; cannot be changed here.'),
  company: z.string().describe('The company of the user; cannot be changed here.'),
  favoritePipelines: favourites('pipelines: name, groupName, id, tags, trigger, favorite'),
  favoriteGroups: favourites('groups: name, favorite'),
  favoriteDataPreps: favourites('data preps: id, favorite, modifyDate, name, groupName, status'),
  favoriteInsights: favourites('insights: fileName, groupName, favorite'),
  columns: z.string().describe('JSON text: the columns shown in each list, by list.'),
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
  additionalParameters: z.string().describe('JSON text of further parameters, by name.'),
  defaultGroup: z.string().describe('Group offered first in forms; default the user name followed by _home.'),
  language: z.string().describe('Language code, default eng.'),
  downloadFormat: z
    .enum(['STANDARD', 'FAST_NCSV'])
    .describe('Download format; Ncsv is stored as FAST_NCSV. Default STANDARD.'),
  companyTags: z.array(z.string()).describe('Tags of the company of the user; cannot be changed here.'),
})
export type UserSettings = z.infer<typeof userSettings>

/** The settings that hold lists of favourites. */
export type FavoriteSetting =
  'favoritePipelines' | 'favoriteGroups' | 'favoriteDataPreps' | 'favoriteInsights'

/** What a client may change. Values that are not known fall back as the specification says, they are not refused. */
export const settingsChange = z
  .object({
    favoritePipelines: z.string().max(1_000_000),
    favoriteGroups: z.string().max(1_000_000),
    favoriteDataPreps: z.string().max(1_000_000),
    favoriteInsights: z.string().max(1_000_000),
    columns: z.string().max(100_000),
    symbolsDisplay: z.string().max(1000),
    storageGroupsHidden: z.string().max(1_000_000),
    dashboardUserTabs: z.string().max(100_000),
    darkmode: z.string().max(10),
    defaultPage: z.string().max(50),
    definedTime: z.string().max(100),
    storageScreen: z.string().max(20),
    warehouse: z.string().max(10),
    datalakeLayout: z.string().max(20),
    roundingEnabled: z.boolean(),
    decimalPrecision: z.int().min(0).max(15),
    additionalParameters: z.string().max(100_000),
    defaultGroup: z.string().max(300),
    language: z.string().max(10),
    downloadFormat: z.string().max(20),
  })
  .partial()
  .describe('The settings to change; what is left out stays as it is.')

/** The answer of the settings calls. */
export const currentUser = z.object({
  settings: userSettings.describe('The settings of the calling user, defaults filled in.'),
  uiEntitlements: z.array(entitlement).describe('Everything the user may do.'),
  defaultPage: z.enum(landingPages).describe('The same as in the settings; clients wait for it.'),
})
export type CurrentUser = z.infer<typeof currentUser>

export const getSettings = defineRoute({
  name: 'getSettings',
  method: 'GET',
  path: '/auth/settings',
  summary: 'The settings and entitlements of the calling user.',
  permission: 'signed-in',
  output: currentUser,
})

export const updateSettings = defineRoute({
  name: 'updateSettings',
  method: 'PUT',
  path: '/auth/settings',
  summary: 'Changes settings of the calling user and answers with all of them.',
  permission: 'signed-in',
  body: z.object({ settings: settingsChange }),
  bodyBytes: largeBodyBytes,
  output: currentUser,
  errors: ['tabsNotJson', 'favouritesNotJson', 'settingNotJson'],
})
