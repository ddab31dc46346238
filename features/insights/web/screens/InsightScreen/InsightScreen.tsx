import { useEffect } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { lazyPart, links, Page, PartBoundary, reportError, toastError, useRecent } from '@headwater/web-kit'
import { TileGridSkeleton } from '../../components/TileGridSkeleton.tsx'
import { preloadUsualTiles } from '../../tiles/tile-kinds.ts'
import { useInsight } from '../../insights-client.ts'
import { viewIn } from '../../email-export/ViewTabs.tsx'
import { InsightWorkspace } from './InsightWorkspace.tsx'

const EmailExportScreen = lazyPart(() => import('../../email-export/EmailExportScreen.tsx'))

/** One insight. One that cannot be opened leads back to the list, with the reason. */
export default function InsightScreen() {
  const { groupName = '', insightName = '' } = useParams()
  const [search] = useSearchParams()
  const insight = useInsight({ groupName, insightName }, search.get('edit') === 'true')
  const navigate = useNavigate()
  useEffect(preloadUsualTiles, [])
  const { error, data } = insight
  useRecent('INSIGHT', data && { name: data.insightName, groupName: data.groupName })
  useEffect(() => {
    if (error === null) return
    reportError(error)
    toastError(error)
    void navigate(links.insightList(), { replace: true })
  }, [error, navigate])
  if (insight.data === undefined)
    return (
      <Page>
        <TileGridSkeleton />
      </Page>
    )
  if (viewIn(search) === 'EXPORT' && insight.data.writeAccess)
    return (
      <PartBoundary fallback={<TileGridSkeleton />}>
        <EmailExportScreen key={`${groupName}/${insightName}`} insight={insight.data} />
      </PartBoundary>
    )
  return <InsightWorkspace key={`${groupName}/${insightName}`} saved={insight.data} />
}
