import { session } from '@headwater/accounts/web'
import { type FeatureRoutes, links, routeNames as names } from '@headwater/web-kit'

export { RoundingField } from './components/RoundingField.tsx'
export { HolidayCalendarField } from './creator/settings/HolidayCalendarField.tsx'

const access = { resource: 'DataPreps', parent: 'Storage' } as const
const list = () => import('./list/PrepsScreen.tsx')
const newPrep = () => import('./creator/NewPrepScreen.tsx')
const { storage, creator } = names

/** Routes and search of the data preps feature. */
export const prepsWeb: FeatureRoutes = {
  routes: [
    { path: storage, lazy: list, access },
    { path: `${storage}/${names.list}`, lazy: list, access },
    { path: `${storage}/${names.dataPreps}`, lazy: list, access },
    { path: `${storage}/${creator}`, lazy: newPrep, access },
    { path: `${storage}/${creator}/${names.new}`, lazy: newPrep, access },
    {
      path: `${storage}/${creator}/:groupName/:name/:version?`,
      lazy: () => import('./creator/PrepScreen.tsx'),
      access,
    },
    // Earlier URL of the creator.
    {
      path: `${storage}/${names.data}`,
      lazy: newPrep,
      access: { resource: 'Data', mode: 'RW', parent: 'Storage' },
    },
  ],
  searchProviders: [
    {
      id: 'data-preps',
      label: 'Data preps',
      access,
      async search(text, signal) {
        const { findDataPreps } = await import('./search-hits.ts')
        const state = session.state.get()
        return findDataPreps(
          text,
          state.phase === 'signed-in' ? state.user.settings.storageScreen : 'Table',
          signal,
        )
      },
      seeAllHref: (text) => links.storageList({ query: text }),
      recents: {
        type: 'DATA_PREP',
        async find(recent, signal) {
          const { findRecentDataPrep } = await import('./search-hits.ts')
          return findRecentDataPrep(recent, signal)
        },
      },
    },
  ],
}
