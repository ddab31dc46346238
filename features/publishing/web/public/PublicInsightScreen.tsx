import { useEffect, useMemo, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconClockOff from '@tabler/icons-react/dist/esm/icons/IconClockOff.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLinkOff from '@tabler/icons-react/dist/esm/icons/IconLinkOff.mjs'
import { pathOf } from '@headwater/contract'
import {
  ApiError,
  Button,
  call,
  EmptyState,
  ErrorState,
  intervals,
  links,
  Page,
  PageHeader,
  refreshEvery,
  routeKey,
  setCallRelay,
  Skeleton,
  Time,
} from '@headwater/web-kit'
import { type Tile } from '@headwater/tile-data/contract'
import { getPublicInsight, getPublicLogo, type PublicInsight } from '../../contract/index.ts'
import { PartFrame } from '@headwater/insights/web'
import { useScrollToHash } from '@headwater/insights/web'
import { VisitorLimitsContext, InsightDataProvider, tileDataKey } from '@headwater/tile-data/web'
import { RefreshTimesContext, useNewRefreshTimes } from '@headwater/tiles/web'
import { RefreshNote } from '@headwater/insights/web'
import { noTileActions } from '@headwater/insights/web'
import { TileGrid } from '@headwater/insights/web'
import { TileGridSkeleton } from '@headwater/insights/web'
import { useFrameHeight } from '@headwater/insights/web'
import { headerBoxesOf, paramSetsOf } from '@headwater/tile-data/core'
import { HeaderBoxes, ParamChips, ParamsPanel } from '@headwater/insights/web'
import { PanelButtons } from '@headwater/insights/web'
import { useInsightPanel } from '@headwater/insights/web'
import { publicRoute } from './public-route.ts'
import { publicRelay } from './public-relay.ts'
import { VisitorForm } from './VisitorForm.tsx'
import { storeVisitorToken, visitorToken } from './visitor-storage.ts'
import styles from './PublicInsightScreen.module.css'

/** Page of a public insight for visitors without an account. */
export default function PublicInsightScreen() {
  const { groupName = '', insightName = '' } = useParams()
  return <PublicInsightPage key={`${groupName}/${insightName}`} name={{ groupName, insightName }} />
}

function PublicInsightPage({ name }: { name: { groupName: string; insightName: string } }) {
  const { groupName, insightName } = name
  const [search] = useSearchParams()
  const link = search.get('link') ?? ''
  const [token, setToken] = useState(() => visitorToken(groupName, insightName))
  const input = {
    params: { groupName, fileName: `${insightName}.json` },
    query: { ...(link === '' ? {} : { link }), ...(token === '' ? {} : { token }) },
  }
  const view = useQuery({
    queryKey: routeKey(getPublicInsight, input),
    queryFn: ({ signal }) => call(getPublicInsight, input, { signal }),
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400),
    placeholderData: (before) => before,
    refetchInterval: refreshEvery(intervals.favouritesMs),
  })
  if (view.error !== null) return <NoView error={view.error} onRetry={() => void view.refetch()} />
  if (view.data === undefined)
    return (
      <Page>
        <TileGridSkeleton />
      </Page>
    )
  return (
    <OpenView
      view={view.data}
      visit={{ groupName, insightName, link, token }}
      onReload={() => view.refetch()}
      onActivated={(given) => {
        storeVisitorToken(groupName, insightName, given)
        setToken(given)
      }}
    />
  )
}

const noTiles: readonly Tile[] = []

function OpenView({
  view,
  visit,
  onReload,
  onActivated,
}: {
  view: PublicInsight
  /** Loads the view again. */
  onReload: () => Promise<unknown>
  visit: { groupName: string; insightName: string; link: string; token: string }
  onActivated: (token: string) => void
}) {
  const times = useNewRefreshTimes()
  useFrameHeight()
  const isReady = useRelay(visit, view)
  const { content, selfActivation } = view
  useScrollToHash(isReady ? content.tiles : noTiles, 'start')
  const { parameters, dates } = view
  const canChoose = parameters.length > 0 || dates
  const limits = useMemo(() => ({ parameters, dates }), [parameters, dates])
  const sets = paramSetsOf(content).filter(({ isHidden }) => !isHidden)
  const boxes = headerBoxesOf(content)
  const client = useQueryClient()
  function onRefresh() {
    for (const name of [tileDataKey, 'fileTable']) void client.invalidateQueries({ queryKey: [name] })
  }
  const offered = canChoose && sets.length > 0 ? (['params'] as const) : []
  const { groupName, insightName } = visit
  const { panel, toggle, close, closeParams } = useInsightPanel(visit, canChoose ? sets : [])
  const open = isReady ? offered.find((each) => each === panel) : undefined
  return (
    <RefreshTimesContext value={times}>
      <VisitorLimitsContext value={limits}>
        <InsightDataProvider
          content={content}
          route={publicRoute({ ...visit, version: view.version }, onReload)}
          basket={undefined}
          followsUrlRange={dates}
        >
          <Page
            asideLabel="Parameters"
            aside={
              open === undefined ? undefined : !isReady ? (
                <Skeleton lines={8} />
              ) : (
                <PartFrame waiting={<Skeleton lines={8} />}>
                  <ParamsPanel editing={false} onContent={nothing} onClose={closeParams} onUncover={close} />
                </PartFrame>
              )
            }
          >
            <PageHeader
              title={view.insightName}
              actions={<PanelButtons offered={offered} open={open} onToggle={toggle} />}
            />
            <div className={styles.content}>
              <div className={styles.bar}>
                {view.hasLogo ? (
                  <img
                    className={styles.logo}
                    alt=""
                    src={pathOf(getPublicLogo.path, { groupName, fileName: `${insightName}.json` })}
                  />
                ) : null}
                {view.description === '' ? null : <p className={styles.description}>{view.description}</p>}
                {view.expirationDate === null ? null : (
                  <p className={styles.quiet}>
                    Public until <Time value={view.expirationDate} />
                  </p>
                )}
                {isReady && canChoose ? (
                  <PartFrame waiting={<Skeleton height={28} />}>
                    <ParamChips />
                  </PartFrame>
                ) : null}
                <div className={styles.fresh}>
                  <RefreshNote onRefresh={onRefresh} />
                </div>
              </div>
              {isReady && boxes.length > 0 ? (
                <PartFrame waiting={<Skeleton height={74} />}>
                  <HeaderBoxes boxes={boxes} editing={false} selectedId={undefined} onSelect={nothing} />
                </PartFrame>
              ) : null}
              {!isReady ? (
                <TileGridSkeleton />
              ) : content.tiles.length === 0 && selfActivation === null ? (
                <EmptyState icon={<IconLayoutDashboard size={20} stroke={1.6} />} title="Nothing to show">
                  This insight has no tiles for visitors.
                </EmptyState>
              ) : (
                <TileGrid content={content} editing={false} selectedId={undefined} actions={noTileActions} />
              )}
              {selfActivation === null ? null : (
                <VisitorForm
                  name={{ groupName, insightName }}
                  hiddenTiles={selfActivation.hiddenTiles}
                  hasVisibleTiles={content.tiles.length > 0}
                  onActivated={onActivated}
                />
              )}
            </div>
          </Page>
        </InsightDataProvider>
      </VisitorLimitsContext>
    </RefreshTimesContext>
  )
}

/** Redirects the requests of tiles to the routes for visitors; returns false until it is active. */
function useRelay(
  {
    groupName,
    insightName,
    link,
    token,
  }: { groupName: string; insightName: string; link: string; token: string },
  { parameters }: PublicInsight,
): boolean {
  const [ready, setReady] = useState<string>()
  const key = JSON.stringify([groupName, insightName, link, token])
  useEffect(() => {
    setCallRelay(publicRelay({ groupName, insightName, link, token, parameters }))
    setReady(key)
    return () => setCallRelay(undefined)
    // oxlint-disable-next-line react/exhaustive-deps -- the link decides the parameters
  }, [key])
  return ready === key
}

/** Reason why a public view cannot be opened, and what to do. */
function NoView({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = error instanceof ApiError ? error.code : ''
  const known = {
    publicViewEnded: { title: 'This public view has expired', Icon: IconClockOff },
    linkTampered: { title: 'This link is incomplete', Icon: IconLinkOff },
    publicInsightNotFound: { title: 'Public insight not found', Icon: IconLinkOff },
  }[code]
  if (known === undefined)
    return (
      <Page>
        <ErrorState title="The insight cannot be displayed" error={error} onRetry={onRetry} />
      </Page>
    )
  return (
    <Page>
      <EmptyState
        icon={<known.Icon size={20} stroke={1.6} />}
        title={known.title}
        action={<Button href={links.login()}>Log in</Button>}
      >
        {error.message}
      </EmptyState>
    </Page>
  )
}

function nothing(): void {}
