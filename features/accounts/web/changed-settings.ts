import type { CurrentUser, UserSettings } from '../contract/index.ts'

/** The user as the pages know them: until a colour scheme is saved, the scheme is that of the system. */
export function followSystem(user: CurrentUser): CurrentUser {
  if (user.settings.darkmodeChosen) return user
  return { ...user, settings: { ...user.settings, darkmode: 'AUTO' } }
}

/** The part of a change that differs from the present settings; undefined when nothing does. */
export function changedSettings<Change extends object>(
  present: UserSettings,
  change: Change,
): Partial<Change> | undefined {
  const known: Record<string, unknown> = { ...present }
  const entries = Object.entries(change).filter(
    ([name, value]) => value !== undefined && known[name] !== value,
  )
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Change>)
}

/** The sentence about a text that should be the JSON of an array of tabs; undefined when it is one. */
export function tabsProblem(text: string): string | undefined {
  try {
    if (Array.isArray(JSON.parse(text))) return undefined
  } catch {
    // told below
  }
  return 'Dashboard user tabs is not a proper JSON'
}

/** The first path segment of each landing page. */
export const landingSegments: Record<string, string> = {
  'data lake': 'Lake',
  'data science': 'Science',
  'data storage': 'Storage',
  insight: 'Insight',
}

/** The path a user lands on; undefined when no page is set, Insight when it is none of the four. */
export function landingPath(defaultPage: string | undefined): string | undefined {
  if (!defaultPage) return undefined
  return `/${landingSegments[defaultPage] ?? 'Insight'}`
}
