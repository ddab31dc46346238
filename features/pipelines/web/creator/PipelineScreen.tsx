import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import {
  ApiError,
  links,
  notLoadedReason,
  Page,
  type RedirectReason,
  redirectState,
  Skeleton,
  useRecent,
} from '@headwater/web-kit'
import { type PipelineAddress, pipelineQuery } from '../pipelines-client.ts'
import { Creator } from './Creator.tsx'

/** Creator with a version of a pipeline. Opens the list if it cannot be loaded. */
export default function PipelineScreen() {
  const { groupName = '', name = '', version = 'latest' } = useParams()
  return <LoadedPipeline key={`${groupName}/${name}/${version}`} address={{ groupName, name, version }} />
}

function LoadedPipeline({ address }: { address: PipelineAddress }) {
  const { data, error } = useQuery(pipelineQuery(address))
  useRecent('PIPELINE', data && { name: data.pipeline.name, groupName: data.pipeline.groupName })
  // A 404 also means that the pipeline was deleted while the page showed it.
  if (error !== null && (data === undefined || (error instanceof ApiError && error.status === 404)))
    return <NotLoaded address={address} error={error} />
  if (data === undefined)
    return (
      <Page>
        <Skeleton lines={12} />
      </Page>
    )
  return <Creator address={address} details={data} />
}

function NotLoaded({ address, error }: { address: PipelineAddress; error: Error }) {
  return <Navigate to={links.scienceList()} state={redirectState(reasonFor(address, error))} replace />
}

function reasonFor({ groupName, name, version }: PipelineAddress, error: Error): RedirectReason {
  const reason = notLoadedReason('Pipeline', error)
  if (!(error instanceof ApiError && error.status === 404)) return reason
  const what = /^\d+$/.test(version) ? `version ${version} of the pipeline ${name}` : `pipeline ${name}`
  return { ...reason, text: `There is no ${what} in the group ${groupName}.` }
}
