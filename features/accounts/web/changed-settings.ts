import type { CurrentUser, UserSettings } from '../contract/index.ts'

/** Returns the user with the colour scheme AUTO until the user saves one. */
export function followSystem(user: CurrentUser): CurrentUser {
  if (user.settings.darkmodeChosen) return user
  return { ...user, settings: { ...user.settings, darkmode: 'AUTO' } }
}

/** Returns the part of a change that differs from the current settings; undefined if nothing differs. */
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

/** Returns an error message if the text is not a JSON array, otherwise undefined. The message is fixed by the specification. */
export function tabsProblem(text: string): string | undefined {
  try {
    if (Array.isArray(JSON.parse(text))) return undefined
  } catch {
    // reported below
  }
  return 'Dashboard user tabs is not a proper JSON'
}

/** The first path segment of each landing page. */
const landingSegments: Record<string, string> = {
  'data lake': 'Lake',
  'data science': 'Science',
  'data storage': 'Storage',
  insight: 'Insight',
}

/** Returns the path of a landing page: undefined if it is not set, Insight for an unknown page. */
export function landingPath(defaultPage: string | undefined): string | undefined {
  if (!defaultPage) return undefined
  return `/${landingSegments[defaultPage] ?? 'Insight'}`
}
