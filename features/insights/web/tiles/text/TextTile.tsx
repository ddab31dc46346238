import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { call, callRaw, EmptyState, intervals, refreshEvery } from '@headwater/web-kit'
import type { FileReference } from '../../../contract/index.ts'
import { useTileNear } from '../../components/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../components/TileStates.tsx'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { renderBeside, renderQuickly, type RenderedText } from './render-markdown.ts'
import { textTile } from './text-tile.ts'
import styles from './TextTile.module.css'

/** The most characters of a file that are shown. */
const maxCharacters = 500_000

/** Markdown of the tile itself, or of a file of the lake. */
export default function TextTileView({ tile, card }: TileViewProps) {
  const { near, visible } = useTileNear()
  const definition = useMemo(() => textTile.parse(tile), [tile])
  const { source } = definition
  const file = useMarkdownFile(source.type === 'FILE' ? (source.value as FileReference) : undefined, {
    near,
    visible,
  })
  const text = source.type === 'FILE' ? file.data : definition.templateContent
  const rendered = useRendered(text)
  useTileExport(tile.id, {
    state: file.error ? 'failed' : rendered === undefined ? 'loading' : 'ready',
    problem: file.error?.message,
    html: () => rendered?.html ?? '',
  })
  if (file.error) return <TileError error={file.error} onRetry={() => void file.refetch()} />
  if (text === undefined || rendered === undefined) return <TileSkeleton shape="text" />
  if (text.trim() === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconFileText size={20} stroke={1.6} />} title="No text yet">
          {card.editing ? 'Write markdown in the panel on the right.' : 'Edit the insight to write some.'}
        </EmptyState>
      </TileMessage>
    )
  return (
    <div className={styles.text} tabIndex={0} role="group" aria-label={`Text of ${tile.title}`}>
      {rendered.isPlain ? (
        <p className={styles.note} role="note">
          This text is shown as it is written: it could not be drawn as markdown in a moment.
        </p>
      ) : null}
      {/* oxlint-disable-next-line react/no-danger -- sanitised by render-markdown */}
      <div className={styles.body} dangerouslySetInnerHTML={{ __html: rendered.html }} />
    </div>
  )
}

/** A text as it is shown; while a long one is rendered, what was shown before. */
function useRendered(text: string | undefined): RenderedText | undefined {
  const quick = useMemo(() => (text === undefined ? undefined : renderQuickly(text)), [text])
  const [beside, setBeside] = useState<RenderedText>()
  useEffect(() => {
    if (text === undefined || quick !== undefined) return
    const ended = new AbortController()
    void renderBeside(text, ended.signal).then((rendered) => {
      if (!ended.signal.aborted) setBeside(rendered)
    })
    return () => ended.abort()
  }, [text, quick])
  return text === undefined ? undefined : (quick ?? beside)
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
): Promise<string> {
  const query = { query: `name=${fileName}&groupName=${groupName}`, latest: true, size: 1 }
  const found = (await call(searchFiles, { query }, { signal })).items[0]
  if (found === undefined) throw new Error(`File ${fileName} not found in group ${groupName}`)
  const response = await callRaw(downloadFile, { params: { fid: found.fid } }, { signal })
  return (await response.text()).slice(0, maxCharacters)
}
