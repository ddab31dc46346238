import { call, type FeatureRoutes, links, pageSizes, routeNames } from '@headwater/web-kit'
import { searchSymbols, type SymbolItem } from '../contract/index.ts'
import { symbolText } from './symbol-text.ts'

const access = { resource: 'Storage' } as const
const writing = { resource: 'Data', parent: 'Storage', mode: 'RW' } as const

/** What the symbols room hands to the shell. */
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
        const page = await call(
          searchSymbols,
          { query: { query: `${text}*`, size: pageSizes.search } },
          { signal },
        )
        return page.items.map(toHit)
      },
      seeAllHref: (text) => links.symbols(undefined, { query: text }),
    },
  ],
}

function toHit({ symbols, groupName }: SymbolItem) {
  const title = symbolText(symbols)
  return {
    id: `${groupName}/${title}`,
    title,
    detail: groupName,
    href: links.dataPrepNew({ groupName, symbol: symbols }),
  }
}
