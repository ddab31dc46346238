import { isRecord } from '@headwater/contract'
import { isTimeZone } from '@headwater/zones'
import { accountErrors, landingPages, type UserSettings } from '@headwater/accounts/contract'

/** The settings that a user can change. */
export type OwnSettings = Omit<UserSettings, 'userName' | 'company' | 'companyTags' | 'darkmodeChosen'>

/** Settings of a client or of the database: any value of the right type. */
export type LooseSettings = {
  [Key in keyof OwnSettings]?: OwnSettings[Key] extends number
    ? number
    : OwnSettings[Key] extends boolean
      ? boolean
      : string
}

/** The settings of a user who has set nothing. */
function defaultSettings(userName: string): OwnSettings {
  return {
    favoritePipelines: '[]',
    favoriteGroups: '[]',
    favoriteDataPreps: '[]',
    favoriteInsights: '[]',
    columns: '{}',
    symbolsDisplay: '',
    storageGroupsHidden: '[]',
    dashboardUserTabs: '[]',
    darkmode: 'OFF',
    defaultPage: 'insight',
    definedTime: 'UTC',
    storageScreen: 'Table',
    warehouse: 'OFF',
    datalakeLayout: 'LATEST',
    roundingEnabled: true,
    decimalPrecision: 2,
    additionalParameters: '{}',
    defaultGroup: `${userName}_home`,
    language: 'eng',
    downloadFormat: 'STANDARD',
  }
}

/** Returns all settings of a user: the stored values, and the default where a value is absent or unknown. */
export function completeSettings(userName: string, stored: LooseSettings): OwnSettings {
  const defaults = defaultSettings(userName)
  return { ...defaults, ...fallBack(stored, defaults) }
}

/**
 * Returns the settings to store for a change. Unknown values of a choice become its default. Throws `tabsNotJson`,
 * `favouritesNotJson` and `settingNotJson` for text that is not the required JSON.
 */
export function acceptChange(userName: string, change: LooseSettings): Partial<OwnSettings> {
  refuseBrokenJson(change)
  return fallBack(change, defaultSettings(userName))
}

function fallBack(given: LooseSettings, defaults: OwnSettings): Partial<OwnSettings> {
  const present = Object.entries(given).filter(([key, value]) => key in defaults && value !== undefined)
  const settings: LooseSettings = Object.fromEntries(present)
  const choose = <Key extends keyof OwnSettings>(key: Key, fit: (text: string) => string | undefined) => {
    if (settings[key] !== undefined)
      Object.assign(settings, { [key]: fit(String(settings[key])) ?? defaults[key] })
  }
  choose('darkmode', oneOf('ON', 'OFF', 'AUTO'))
  choose('warehouse', oneOf('ON', 'OFF'))
  choose('defaultPage', oneOf(...landingPages))
  choose('storageScreen', oneOf('Table', 'Basket', 'Charts'))
  choose('datalakeLayout', oneOf('VERSIONS', 'LATEST'))
  choose('downloadFormat', (text) =>
    text.toLowerCase() === 'ncsv' ? 'FAST_NCSV' : oneOf('STANDARD', 'FAST_NCSV')(text),
  )
  choose('definedTime', knownTimeZone)
  choose('defaultGroup', (text) => text.trim() || undefined)
  choose('language', (text) => text.trim() || undefined)
  return settings as Partial<OwnSettings>
}

function oneOf(...choices: string[]): (text: string) => string | undefined {
  return (text) => choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase())
}

function knownTimeZone(text: string): string | undefined {
  const zone = text.trim()
  return isTimeZone(zone) ? zone : undefined
}

function refuseBrokenJson(change: LooseSettings): void {
  const { dashboardUserTabs: tabs } = change
  if (tabs !== undefined && !parsesTo(tabs, isListOfTabs)) throw accountErrors.tabsNotJson()
  for (const setting of [
    'favoritePipelines',
    'favoriteGroups',
    'favoriteDataPreps',
    'favoriteInsights',
    'storageGroupsHidden',
  ] as const) {
    const text = change[setting]
    if (text !== undefined && !parsesTo(text, Array.isArray))
      throw accountErrors.favouritesNotJson({ setting })
  }
  for (const setting of ['columns', 'additionalParameters'] as const) {
    const text = change[setting]
    if (text !== undefined && !parsesTo(text, isRecord)) throw accountErrors.settingNotJson({ setting })
  }
}

function parsesTo(text: string, fits: (value: unknown) => boolean): boolean {
  try {
    return fits(JSON.parse(text))
  } catch {
    return false
  }
}

function isListOfTabs(value: unknown): boolean {
  return Array.isArray(value) && value.every((tab) => isRecord(tab) && typeof tab.tag === 'string')
}
