import type { ProductConfiguration } from '@headwater/accounts/contract'
import type { Config } from '@headwater/server-kit'

/** The environment variable of each value and its default. */
const table = {
  title: { variable: 'HEADWATER_TITLE', standard: 'Headwater' },
  icon: { variable: 'HEADWATER_ICON', standard: '/icon.svg' },
  logo: { variable: 'HEADWATER_LOGO', standard: '/logo.svg' },
  version: { variable: 'HEADWATER_VERSION', standard: '{ip}' },
  sharing_enabled: { variable: 'HEADWATER_SHARING_ENABLED', standard: 'true' },
  api_keys_enabled: { variable: 'HEADWATER_API_KEYS_ENABLED', standard: 'true' },
  warehouse_only: { variable: 'HEADWATER_WAREHOUSE_ONLY', standard: 'true' },
  unfinished_pages: { variable: 'HEADWATER_UNFINISHED_PAGES', standard: 'false' },
  symbols_search_index: { variable: 'HEADWATER_SYMBOLS_SEARCH_INDEX', standard: 'true' },
  environment: { variable: 'HEADWATER_ENVIRONMENT', standard: 'prod' },
  build: { variable: 'HEADWATER_BUILD', standard: 'Local' },
  session_sample_rate: { variable: 'HEADWATER_SESSION_SAMPLE_RATE', standard: '100' },
  session_replay_sample_rate: { variable: 'HEADWATER_SESSION_REPLAY_SAMPLE_RATE', standard: '20' },
} as const

/**
 * Reads the product configuration from the environment. An empty variable is an empty value, so that a packaged build
 * sets `HEADWATER_BUILD=` and shows no badge. Throws if a switch is not true or false, or a rate is not a number from 0 to 100.
 */
export function readProductConfiguration({
  env,
  trashDays,
}: Pick<Config, 'env' | 'trashDays'>): ProductConfiguration {
  const text = (key: keyof typeof table) => env[table[key].variable] ?? table[key].standard
  const flag = (key: keyof typeof table) => {
    const value = text(key).toLowerCase()
    if (value === 'true' || value === 'false') return value
    throw new Error(`${table[key].variable} is “${value}”; it must be true or false.`)
  }
  const rate = (key: keyof typeof table) => {
    const value = Number(text(key) || 'none')
    if (value >= 0 && value <= 100) return value
    throw new Error(`${table[key].variable} is “${text(key)}”; it must be a number from 0 to 100.`)
  }
  return {
    title: text('title'),
    icon: text('icon'),
    logo: text('logo'),
    version: text('version'),
    sharing_enabled: flag('sharing_enabled'),
    api_keys_enabled: flag('api_keys_enabled'),
    warehouse_only: flag('warehouse_only'),
    trash_days: trashDays,
    unfinished_pages: flag('unfinished_pages'),
    symbols_search_index: flag('symbols_search_index'),
    environment: text('environment'),
    build: text('build'),
    session_sample_rate: rate('session_sample_rate'),
    session_replay_sample_rate: rate('session_replay_sample_rate'),
  }
}
