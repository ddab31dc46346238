import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { VersionsPage } from '@headwater/items/web'
import { Button, links } from '@headwater/web-kit'
import { pipelineQuery, usePipelineVersions } from '../pipelines-client.ts'

/** Page with the versions of a pipeline. */
export default function PipelineVersionsScreen() {
  const { groupName = '', name = '' } = useParams()
  const newest = useQuery(pipelineQuery({ groupName, name, version: 'latest' }))
  const versions = usePipelineVersions(newest.data?.pipeline.id)
  return (
    <VersionsPage
      actions={
        <Button icon={<IconExternalLink size={16} stroke={1.6} />} href={links.pipeline(groupName, name)}>
          Open pipeline
        </Button>
      }
      rows={versions.data?.items}
      error={newest.error ?? versions.error}
      onRetry={() => void (newest.data === undefined ? newest : versions).refetch()}
      // The current name also finds versions saved under an earlier name.
      hrefOf={({ version, latest }) => links.pipeline(groupName, name, latest ? 'latest' : version)}
      authorOf={({ lastChangeBy }) => lastChangeBy}
    />
  )
}
