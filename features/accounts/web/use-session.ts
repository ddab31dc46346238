import { useCallback } from 'react'
import type { AccessMode } from '@headwater/contract'
import { type Access, call, message, useStore } from '@headwater/web-kit'
import {
  type Entitlement,
  type UserSettings,
  type settingsChange,
  getSettings,
  isEntitled,
  updateSettings,
} from '../contract/index.ts'
import type { z } from 'zod'
import { session } from './browser-session.ts'
import { changedSettings, followSystem } from './changed-settings.ts'
import type { SessionState } from './session.ts'

/** The user of the page. A visitor without sign-in has an empty name and no entitlements. */
export interface CurrentSession {
  /** E-mail address; empty for a visitor. */
  userName: string
  /** Settings of the user; undefined for a visitor. */
  settings: UserSettings | undefined
  /** Entitlements of the user. */
  entitlements: readonly Entitlement[]
  /** Landing page of the user; undefined for a visitor. */
  defaultPage: string | undefined
}

const visitor: CurrentSession = {
  userName: '',
  settings: undefined,
  entitlements: [],
  defaultPage: undefined,
}

/** Returns the state of the session and follows its changes. */
export function useSessionState(): SessionState {
  return useStore(session.state)
}

/** Returns the user of the page. */
export function useSession(): CurrentSession {
  const state = useSessionState()
  if (state.phase !== 'signed-in') return visitor
  const { settings, uiEntitlements, defaultPage } = state.user
  return { userName: settings.userName, settings, entitlements: uiEntitlements, defaultPage }
}

/** Returns the settings of the signed-in user; undefined for a visitor. */
export function useSettings(): UserSettings | undefined {
  return useSession().settings
}

/** Returns whether the page is inside a frame of another page. */
export function isFramed(): boolean {
  return window.self !== window.top
}

/** Returns the access check, for example `can('Groups', 'RW', 'Lake')`. Inside a frame only Insight is allowed. */
export function useCan(): (resource: string, mode?: AccessMode, parent?: string) => boolean {
  const { entitlements } = useSession()
  return useCallback(
    (resource, mode = 'R', parent) => canIn(entitlements, { resource, mode, parent }, isFramed()),
    [entitlements],
  )
}

/** Returns whether entitlements allow an access; an undefined access is always allowed. */
export function canIn(
  entitlements: readonly Entitlement[],
  access: Access | undefined,
  framed: boolean,
): boolean {
  if (access === undefined) return true
  if (framed && (access.parent ?? access.resource) !== 'Insight') return false
  return isEntitled(entitlements, access.resource, access.mode ?? 'R', access.parent)
}

/** The settings to change. */
export type SettingsChange = z.input<typeof settingsChange>

/** Reads the settings again, after a change of an object that they name. */
export function useReloadSettings(): () => Promise<void> {
  return useCallback(async () => {
    const user = await call(getSettings, {})
    session.setUser(followSystem(user))
  }, [])
}

/**
 * Saves the changed settings; does not call the server if nothing changed.
 * @returns a function that throws an ApiError if the server refuses; `successText` is displayed after success
 */
export function useUpdateSettings(): (change: SettingsChange, successText?: string) => Promise<void> {
  return useCallback(async (change, successText) => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    const settings = changedSettings(state.user.settings, change)
    if (settings !== undefined) {
      // Some settings are saved when the page is left.
      const options = { keep: true, outlivesPage: true, direct: true }
      const user = await call(updateSettings, { body: { settings } }, options)
      session.setUser(followSystem(user))
    }
    if (successText !== undefined) message(successText)
  }, [])
}
