import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { VersionsPage } from '@headwater/items/web'
import { Button, intervals, links, useInfiniteList } from '@headwater/web-kit'
import { listPipelineVersions } from '../../contract/index.ts'
import { pipelineQuery } from '../pipelines-client.ts'
import { PipelineVersionDifference } from './PipelineVersionDifference.tsx'

/** Page with the versions of a pipeline. Two of them can be compared. */
export default function PipelineVersionsScreen() {
  const { groupName = '', name = '' } = useParams()
  const newest = useQuery(pipelineQuery({ groupName, name, version: 'latest' }))
  const pipelineId = newest.data?.pipeline.id
  const versions = useInfiniteList(
    listPipelineVersions,
    { params: { pipelineId: pipelineId ?? '' }, query: {} },
    { enabled: pipelineId !== undefined, intervalMs: intervals.pipelineDetailsMs },
  )
  return (
    <VersionsPage
      actions={
        <Button icon={<IconExternalLink size={16} stroke={1.6} />} href={links.pipeline(groupName, name)}>
          Open pipeline
        </Button>
      }
      {...versions}
      error={newest.error ?? versions.error}
      onRetry={() => (newest.data === undefined ? void newest.refetch() : versions.onRetry())}
      // The current name also finds versions saved under an earlier name.
      hrefOf={({ version, latest }) => links.pipeline(groupName, name, latest ? 'latest' : version)}
      authorOf={({ lastChangeBy }) => lastChangeBy}
      difference={(compared) =>
        pipelineId === undefined ? null : (
          <PipelineVersionDifference pipelineId={pipelineId} compared={compared} />
        )
      }
    />
  )
}
