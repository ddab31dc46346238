import { useCallback } from 'react'
import type { AccessMode } from '@headwater/contract'
import { type Access, call, message, useStore } from '@headwater/web-kit'
import {
  type Entitlement,
  type UserSettings,
  type settingsChange,
  isEntitled,
  updateSettings,
} from '../contract/index.ts'
import type { z } from 'zod'
import { session } from './browser-session.ts'
import { changedSettings, followSystem } from './changed-settings.ts'
import type { SessionState } from './session.ts'

/** Who uses the page. A visitor without sign-in has an empty name and no entitlements. */
export interface CurrentSession {
  userName: string
  settings: UserSettings | undefined
  entitlements: readonly Entitlement[]
  defaultPage: string | undefined
}

const visitor: CurrentSession = {
  userName: '',
  settings: undefined,
  entitlements: [],
  defaultPage: undefined,
}

/** Where the session stands, watched. */
export function useSessionState(): SessionState {
  return useStore(session.state)
}

/** Who uses the page. */
export function useSession(): CurrentSession {
  const state = useSessionState()
  if (state.phase !== 'signed-in') return visitor
  const { settings, uiEntitlements, defaultPage } = state.user
  return { userName: settings.userName, settings, entitlements: uiEntitlements, defaultPage }
}

/** The settings of the signed-in user; undefined for a visitor. */
export function useSettings(): UserSettings | undefined {
  return useSession().settings
}

/** Whether the page is shown inside a frame of another page. */
export function isFramed(): boolean {
  return window.self !== window.top
}

/** The access check: `can('Groups', 'RW', 'Lake')`. Inside a frame only Insight is allowed. */
export function useCan(): (resource: string, mode?: AccessMode, parent?: string) => boolean {
  const { entitlements } = useSession()
  return useCallback(
    (resource, mode = 'R', parent) => canIn(entitlements, { resource, mode, parent }, isFramed()),
    [entitlements],
  )
}

/** The access check as a function of what it needs; without an access everybody may. */
export function canIn(
  entitlements: readonly Entitlement[],
  access: Access | undefined,
  framed: boolean,
): boolean {
  if (access === undefined) return true
  if (framed && (access.parent ?? access.resource) !== 'Insight') return false
  return isEntitled(entitlements, access.resource, access.mode ?? 'R', access.parent)
}

/** What of the settings changes. */
export type SettingsChange = z.input<typeof settingsChange>

/**
 * Saves settings. Values that are as they were are left out; when none is left, nothing is called.
 * @returns a function that throws an ApiError when the server refuses; `say` is shown when it succeeded
 */
export function useUpdateSettings(): (change: SettingsChange, say?: string) => Promise<void> {
  return useCallback(async (change, say) => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    const settings = changedSettings(state.user.settings, change)
    if (settings !== undefined) {
      const user = await call(updateSettings, { body: { settings } }, { keep: true, direct: true })
      session.setUser(followSystem(user))
    }
    if (say !== undefined) message(say)
  }, [])
}
