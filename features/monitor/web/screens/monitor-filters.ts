import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { statusLabel } from '@headwater/web-kit'

/** Choices of the status filter: value in the URL, label, statuses. */
export const statusFilters = [
  { value: '', label: 'All statuses', statuses: undefined },
  {
    value: 'failed',
    label: `${statusLabel('ERROR')} or ${statusLabel('WARN').toLowerCase()}`,
    statuses: 'ERROR,WARN',
  },
  { value: 'paused', label: statusLabel('PAUSED'), statuses: 'PAUSED' },
  {
    value: 'running',
    label: `${statusLabel('RUNNING')} or ${statusLabel('PENDING').toLowerCase()}`,
    statuses: 'RUNNING,PENDING',
  },
  { value: 'succeeded', label: statusLabel('COMPLETED'), statuses: 'INFO,COMPLETED' },
] as const

/** Choices of the period filter: value in the URL, label, length in hours. */
export const periodFilters = [
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', label: 'Last 30 days', hours: 30 * 24 },
  { value: 'all', label: 'All runs', hours: undefined },
] as const

/** Choices of the order: value in the URL, label. */
export const runOrders = [
  { value: '', label: 'Failures first' },
  { value: 'newest', label: 'Newest first' },
] as const

const defaultPeriod = '7d'
const hourMs = 3_600_000

/** Filters of the monitor, stored in the URL. */
export function useMonitorFilters() {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  return {
    text: search.get('query') ?? '',
    status: search.get('status') ?? '',
    period: search.get('period') ?? defaultPeriod,
    order: search.get('order') === 'newest' ? ('newest' as const) : ('' as const),
    set: (name: 'query' | 'status' | 'period' | 'order', value: string): void => {
      const next = new URLSearchParams(search)
      if (value === '' || (name === 'period' && value === defaultPeriod)) next.delete(name)
      else next.set(name, value)
      void navigate({ pathname, search: next.toString(), hash }, { replace: true })
    },
    /** Shows all runs of the tab. */
    clear: () => void navigate({ pathname, search: '?period=all', hash }, { replace: true }),
  }
}

/**
 * Returns the start of a period, on a full hour, so that lists keep their cache key; undefined for all runs.
 * @param period value of the filter; an unknown one means the default
 */
export function startOfPeriod(period: string, now: Date): string | undefined {
  const known = periodFilters.find(({ value }) => value === period)
  const hours = known === undefined ? 7 * 24 : known.hours
  if (hours === undefined) return undefined
  return new Date(Math.floor(now.getTime() / hourMs - hours) * hourMs).toISOString()
}

/** A tab of the monitor. */
export interface MonitorTab {
  /** Hash of the URL. */
  hash: string
  /** Label. */
  label: string
  /** Tag of the listed pipelines; undefined for all. */
  tag: string | undefined
}

/**
 * Returns the tabs: Recent, and one for each tag of the setting `dashboardUserTabs`.
 * @param setting JSON text of an array of tabs, each with a tag and optionally a name
 */
export function monitorTabs(setting: string, recent: string): MonitorTab[] {
  const tabs: MonitorTab[] = [{ hash: recent, label: 'Recent', tag: undefined }]
  for (const { tag, name } of parseTabs(setting)) {
    const hash = encodeURIComponent(tag)
    if (!tabs.some((tab) => tab.hash.toLowerCase() === hash.toLowerCase()))
      tabs.push({ hash, label: name ?? tag, tag })
  }
  return tabs
}

function parseTabs(setting: string): { tag: string; name: string | undefined }[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(setting)
  } catch {
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((tab: unknown) => {
    if (typeof tab !== 'object' || tab === null || !('tag' in tab) || typeof tab.tag !== 'string') return []
    const tag = tab.tag.trim()
    const name = 'name' in tab && typeof tab.name === 'string' ? tab.name.trim() : ''
    return tag === '' ? [] : [{ tag, name: name === '' ? undefined : name }]
  })
}
