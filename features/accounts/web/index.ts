import { type FeatureRoutes, routeNames as names } from '@headwater/web-kit'

export { FavouriteStar } from './components/FavouriteStar.tsx'
export { type AccountTab, accountTabs } from './slots.ts'
export { session, startSession } from './browser-session.ts'
export { landingPath } from './changed-settings.ts'
export type { AccountChoice, SessionState } from './session.ts'
export {
  mobileHome,
  mobileLake,
  narrowWindow,
  startedNarrow,
  useMobileMode,
  useStoragePages,
} from './mobile.ts'
export { useFavourites } from './use-favourites.ts'
export { DraftNote } from './components/DraftNote.tsx'
export { NewerVersion, type SavedVersion } from './components/NewerVersion.tsx'
export {
  type DraftLocation,
  forgetDraftsOfOthers,
  useDraftStorage,
  useStoredDraft,
} from './use-stored-draft.ts'
export {
  type SettingsChange,
  isFramed,
  useCan,
  useReloadSettings,
  useSession,
  useSessionState,
  useSettings,
  useUpdateSettings,
} from './use-session.ts'

const account = { resource: 'MyAccount' } as const
const companies = { resource: 'Companies', parent: 'MyAccount' } as const

/** Routes of the accounts feature. */
export const accountsWeb: FeatureRoutes = {
  routes: [
    { path: names.myAccount, access: account, lazy: () => import('./screens/MyAccountScreen.tsx') },
    {
      path: `${names.myAccount}/${names.databaseAccountSetup}`,
      access: { resource: 'DatabaseAccountSetup', parent: 'MyAccount' },
      lazy: () => import('./screens/DatabaseAccountScreen.tsx'),
    },
    {
      path: `${names.myAccount}/${names.user}/:email`,
      access: companies,
      lazy: () => import('./screens/UserScreen.tsx'),
    },
  ],
}

/** Screens without sign-in, by path. The shell opens the first one for any other path. */
export const signedOutScreens = {
  login: () => import('./screens/LoginScreen.tsx'),
  resetPassword: () => import('./screens/ResetPasswordScreen.tsx'),
  activate: () => import('./screens/ActivateScreen.tsx'),
  changePassword: () => import('./screens/ChangePasswordScreen.tsx'),
}

/** Screen that confirms the switch to another account; it needs no entitlement. */
export const switchAccountScreen = () => import('./screens/SwitchAccountScreen.tsx')
