import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { getConfiguration } from '@headwater/accounts/contract'
import { session, useSessionState, useSettings } from '@headwater/accounts/web'
import {
  type ColorScheme,
  type Product,
  ProductContext,
  SlotItemsContext,
  ThemeProvider,
  TimeZoneContext,
  announceSession,
  call,
  createQueryClient,
  defaultProduct,
  knownZone,
  pageNames,
  routeKey,
  useStore,
} from '@headwater/web-kit'
import { slotItems } from './features.ts'
import { createRouter, preloadPage } from './router.tsx'

const queryClient = createQueryClient()

const configurationQuery = queryOptions({
  queryKey: routeKey(getConfiguration),
  queryFn: ({ signal }) => call(getConfiguration, {}, { signal, keep: true }),
  staleTime: Infinity,
  gcTime: Infinity,
  retry: 3,
  meta: { keep: true },
})

/** The providers around the pages: theme, time zone, product configuration, queries. */
export function App() {
  const [router] = useState(() => {
    const created = createRouter()
    void session.begun.then(() => preloadPage(created, queryClient))
    return created
  })
  return (
    <QueryClientProvider client={queryClient}>
      <Providers>
        <SlotItemsContext value={slotItems}>
          <RouterProvider router={router} />
        </SlotItemsContext>
      </Providers>
    </QueryClientProvider>
  )
}

const schemes: Record<string, ColorScheme> = { ON: 'dark', OFF: 'light', AUTO: 'auto' }

function Providers({ children }: { children: ReactNode }) {
  const settings = useSettings()
  const { phase } = useSessionState()
  const product = useProduct()
  const zone = useMemo(() => knownZone(settings?.definedTime), [settings?.definedTime])
  useEffect(() => {
    if (phase === 'signed-out') queryClient.removeQueries({ predicate: (query) => query.meta?.keep !== true })
  }, [phase])
  return (
    <ProductContext value={product}>
      <TimeZoneContext value={zone}>
        <ThemeProvider scheme={settings === undefined ? undefined : schemes[settings.darkmode]}>
          {children}
        </ThemeProvider>
      </TimeZoneContext>
    </ProductContext>
  )
}

function useProduct(): Product {
  const { data, isPending } = useQuery(configurationQuery)
  const product = useMemo<Product>(
    () =>
      data === undefined
        ? { ...defaultProduct, loading: isPending }
        : {
            title: data.title,
            iconUrl: data.icon,
            logoUrl: data.logo,
            version: data.version,
            sharingEnabled: data.sharing_enabled === 'true',
            apiKeysEnabled: data.api_keys_enabled === 'true',
            warehouseOnly: data.warehouse_only === 'true',
            trashDays: data.trash_days,
            unfinishedPages: data.unfinished_pages === 'true',
            symbolsFromIndex: data.symbols_search_index === 'true',
            localBuild: data.build === 'Local',
            environment: data.environment,
            loading: false,
          },
    [data, isPending],
  )
  useEffect(
    () =>
      data && announceSession({ session: data.session_sample_rate, replay: data.session_replay_sample_rate }),
    [data],
  )
  const names = useStore(pageNames)
  useEffect(() => {
    if (product.title !== '') document.title = [...names, product.title].join(' · ')
  }, [names, product.title])
  useEffect(() => {
    if (product.iconUrl !== '')
      document.querySelector('link[rel="icon"]')?.setAttribute('href', product.iconUrl)
  }, [product])
  return product
}
