import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import { MarkdownText, useRenderedMarkdown } from '@headwater/editors/web'
import { beginningOf } from '@headwater/contract'
import { searchFiles } from '@headwater/files/contract'
import { readContent } from '@headwater/files/web'
import { headingOf, type FileReference } from '@headwater/tile-data/contract'
import { textTile } from '@headwater/tile-data/core'
import { call, EmptyState, formatNumber, intervals, refreshEvery } from '@headwater/web-kit'
import { OmissionBadge } from '../../card/RowLimitBadge.tsx'
import { TileHeader, useTileNear } from '../../card/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'

/** Maximum number of characters of a file. */
const maxCharacters = 500_000
const cutText = `The first ${formatNumber(maxCharacters)} characters are displayed.`

/** A text tile: markdown of the tile or of a file in the lake. */
export default function TextTileView({ tile, card }: TileViewProps) {
  const { near, visible } = useTileNear()
  const definition = useMemo(() => textTile.parse(tile), [tile])
  const { source } = definition
  const file = useMarkdownFile(source.type === 'FILE' ? (source.value as FileReference) : undefined, {
    near,
    visible,
  })
  const text = source.type === 'FILE' ? file.data?.text : definition.templateContent
  const isCut = source.type === 'FILE' && file.data?.isCut === true
  const rendered = useRenderedMarkdown(text)
  useTileExport(tile.id, {
    state: file.error ? 'failed' : rendered === undefined ? 'loading' : 'ready',
    problem: file.error?.message,
    html: () => `${rendered?.html ?? ''}${isCut ? `<p>${cutText}</p>` : ''}`,
  })
  if (file.error) return <TileError error={file.error} onRetry={() => void file.refetch()} />
  if (text === undefined || rendered === undefined) return <TileSkeleton shape="text" />
  if (text.trim() === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconFileText size={20} stroke={1.6} />} title="No text yet">
          {card.editing ? 'Write Markdown in the panel on the right.' : 'Edit the insight to write some.'}
        </EmptyState>
      </TileMessage>
    )
  return (
    <>
      {isCut ? (
        <TileHeader
          badges={
            <OmissionBadge
              text={cutText}
              hint="The file is truncated here. Open it in the data lake to read all of it."
            />
          }
        />
      ) : null}
      <MarkdownText rendered={rendered} label={`Text of ${headingOf(tile)}`} />
    </>
  )
}

function useMarkdownFile(
  file: FileReference | undefined,
  { near, visible }: { near: boolean; visible: boolean },
) {
  return useQuery({
    queryKey: ['markdownFile', file],
    enabled: near && file !== undefined,
    queryFn: ({ signal }) => readMarkdownFile(file!, signal),
    refetchInterval: visible ? refreshEvery(intervals.listMs) : false,
  })
}

async function readMarkdownFile(
  { groupName, fileName }: FileReference,
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const query = { query: `groupName=${groupName}&name=${fileName}`, latest: true, size: 1 }
  const match = (await call(searchFiles, { query }, { signal })).items[0]
  if (match === undefined) throw new Error(`File ${fileName} not found in group ${groupName}`)
  const text = await readContent(match.fid, 'text', signal)
  return { text: beginningOf(text, maxCharacters), isCut: text.length > maxCharacters }
}
