import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { Button, type Column, DataTable, links, Page, PageHeader, TextLink, Time } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { pipelineQuery, usePipelineVersions } from '../pipelines-client.ts'

/** Every version of a pipeline. */
export default function PipelineVersionsScreen() {
  const { groupName = '', name = '' } = useParams()
  const navigate = useNavigate()
  const newest = useQuery(pipelineQuery({ groupName, name, version: 'latest' }))
  const versions = usePipelineVersions(newest.data?.pipeline.id)
  // versions are found by the present name, whatever it was when they were saved
  const hrefOf = ({ version, latest }: Pipeline) =>
    links.pipeline(groupName, name, latest ? 'latest' : version)
  return (
    <Page>
      <PageHeader
        actions={
          <Button icon={<IconExternalLink size={16} stroke={1.6} />} href={links.pipeline(groupName, name)}>
            Open pipeline
          </Button>
        }
      />
      <DataTable
        label="Versions"
        rowHeight={36}
        columns={columnsOf(hrefOf)}
        rows={versions.data?.items}
        error={newest.error ?? versions.error}
        onRetry={() => void (newest.data === undefined ? newest : versions).refetch()}
        rowKey={({ version }) => String(version)}
        onOpenRow={(pipeline) => void navigate(hrefOf(pipeline))}
      />
    </Page>
  )
}

function columnsOf(hrefOf: (version: Pipeline) => string): Column<Pipeline>[] {
  return [
    {
      id: 'version',
      header: 'Version',
      width: 120,
      cell: (pipeline) => (
        <TextLink href={hrefOf(pipeline)}>
          {`v${pipeline.version}${pipeline.latest ? ' · newest' : ''}`}
        </TextLink>
      ),
    },
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 1,
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => groupName,
    },
    {
      id: 'by',
      header: 'Saved by',
      width: 'minmax(140px, 1fr)',
      text: ({ lastChangeBy }) => lastChangeBy ?? '',
      cell: ({ lastChangeBy }) => lastChangeBy ?? '—',
    },
    {
      id: 'date',
      header: 'Saved',
      width: 150,
      align: 'end',
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} show="datetime" />,
    },
  ]
}
