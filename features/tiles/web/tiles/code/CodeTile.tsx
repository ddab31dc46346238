import { useEffect, useMemo, useState, type ReactNode } from 'react'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { HtmlFrame } from '@headwater/editors/web'
import { headingOf, type FileReference } from '@headwater/tile-data/contract'
import { mergeResults, codeDataOf, type CodeData } from '@headwater/tile-data/core'
import { EmptyState } from '@headwater/web-kit'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../card/SeriesTile.tsx'
import { TileHeader, useTileNear } from '../../card/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import { useLakeFile } from '../../card/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { codeTile, isFreeMarker } from './code-tile.ts'
import { PythonCode } from './PythonCode.tsx'
import styles from './CodeTile.module.css'

/** Maximum size of a code file. */
const maxBytes = 5_000_000
/** Delay after typing before the code runs again, in milliseconds. */
const settledMs = 500

/** A code tile: HTML in a sandboxed frame, or the output of Python. FreeMarker is shown as text. */
export default function CodeTileView(props: TileViewProps) {
  const { tile, card } = props
  const definition = useMemo(() => codeTile.parse(tile), [tile])
  const { source, templateContent, codeType } = definition
  const file = useLakeFile(source.type === 'FILE' ? (source.value as FileReference) : undefined, maxBytes)
  const fileText = useText(file.data?.content)
  const code = useSettled(source.type === 'FILE' ? fileText : templateContent)
  useTileExport(tile.id, { state: 'ready', note: 'Code runs only in the browser.' })
  const isNamed = source.type === 'EDITOR' || (source.value as FileReference).fileName !== ''
  if (file.error) return <TileError error={file.error} onRetry={file.retry} />
  if (code === undefined && isNamed) return <TileSkeleton shape="text" />
  if (code === undefined || code.trim() === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconCode size={20} stroke={1.6} />} title="No code yet">
          {card.editing ? 'Write code in the panel on the right.' : 'Edit the insight to write some.'}
        </EmptyState>
      </TileMessage>
    )
  if (codeType === 'html' && isFreeMarker(code))
    return <StoredCode language="FreeMarker (FTL)" code={code} title={headingOf(tile)} />
  return <RunningCode {...props} code={code} Run={codeType === 'python' ? PythonCode : HtmlCode} />
}

type Run = (props: { code: string; data: CodeData | null; title: string }) => ReactNode

function HtmlCode({ code, data, title }: Parameters<Run>[0]) {
  return <HtmlFrame html={code} data={data} title={title} />
}

/** Runs the code when the data of the tile are loaded. */
function RunningCode({ tile, dataPrep, card, code, Run }: TileViewProps & { code: string; Run: Run }) {
  const data = useSeriesTile(tile, dataPrep.symbols)
  const { near } = useTileNear()
  const { results, refreshedAt } = data.series
  const given = useMemo(
    () => results && codeDataOf(mergeResults(results.map(({ result }) => result))),
    [results],
  )
  useReportRefresh(tile.id, refreshedAt, undefined)
  if (!data.series.isChosen)
    return near ? <Run code={code} data={null} title={headingOf(tile)} /> : <TileSkeleton shape="text" />
  return (
    <>
      <TileHeader badges={<SeriesBadges data={data} filled={(given?.rows.length ?? 0) > 0} />} />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconCode size={20} stroke={1.6} />}
        shape="rows"
      >
        {given && (given.rows.length > 0 || data.hidden === 0) ? (
          <Run code={code} data={given} title={headingOf(tile)} />
        ) : null}
      </SeriesTileBody>
    </>
  )
}

/** Code in a language that cannot run. */
function StoredCode({ language, code, title }: { language: string; code: string; title: string }) {
  return (
    <div className={styles.stored}>
      <p className={styles.note}>
        <IconInfoCircle size={16} stroke={1.6} aria-hidden="true" />
        {language} cannot run yet. The code is stored unchanged. HTML and Python can run.
      </p>
      <pre className={styles.code} tabIndex={0} role="group" aria-label={`Code of ${title}`}>
        {code}
      </pre>
    </div>
  )
}

function useText(content: Blob | undefined): string | undefined {
  const [text, setText] = useState<string>()
  useEffect(() => {
    if (content === undefined) return
    let gone = false
    void content.text().then((read) => {
      if (!gone) setText(read)
    })
    return () => {
      gone = true
    }
  }, [content])
  return content === undefined ? undefined : text
}

/** Returns the debounced value. Returns the first value without delay. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (settled === value) return
    const timer = setTimeout(() => setSettled(value), settled === undefined ? 0 : settledMs)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
