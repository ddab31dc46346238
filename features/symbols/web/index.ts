import { type FeatureRoutes, links, routeNames } from '@headwater/web-kit'

/** Loads the reader of CSV downloads for spreadsheets. */
export const loadEscapedCsv = () => import('./escaped-csv.ts')

const access = { resource: 'Storage' } as const
const writing = { resource: 'Data', parent: 'Storage', mode: 'RW' } as const

/** Routes and search of the symbols feature. */
export const symbolsWeb: FeatureRoutes = {
  routes: [
    {
      path: `${routeNames.storage}/${routeNames.symbols}/:groupName?`,
      lazy: () => import('./screens/SymbolsScreen.tsx'),
      access,
    },
    {
      path: `${routeNames.storage}/${routeNames.newSymbol}/:groupName?`,
      lazy: () => import('./screens/NewSymbolScreen.tsx'),
      access: writing,
    },
    {
      path: `${routeNames.storage}/${routeNames.formula}/:groupName`,
      lazy: () => import('./screens/FormulaScreen.tsx'),
      access: writing,
    },
  ],
  searchProviders: [
    {
      id: 'symbols',
      label: 'Symbols',
      access,
      async search(text, signal) {
        const { findSymbols } = await import('./search-hits.ts')
        return findSymbols(text, signal)
      },
      seeAllHref: (text) => links.symbols(undefined, { query: text }),
    },
  ],
}
