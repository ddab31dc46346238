import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { HtmlFrame } from '@headwater/editors/web'
import { headingOf, type FileReference } from '@headwater/tile-data/contract'
import { mergeResults, codeDataOf, type CodeData } from '@headwater/tile-data/core'
import { Button, EmptyState, useSettled } from '@headwater/web-kit'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../card/SeriesTile.tsx'
import { TileHeader, useTileNear } from '../../card/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import { type LakeFile, useLakeFile } from '../../card/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { codeTile, isFreeMarker } from './code-tile.ts'
import { PythonCode } from './PythonCode.tsx'
import { type CodeOrigin, useCodePermission } from './trusted-code.ts'
import styles from './CodeTile.module.css'

/** Maximum size of a code file. */
const maxBytes = 5_000_000
/** Delay after typing before the code runs again, in milliseconds. */
const settledMs = 500

/** A code tile: HTML in a sandboxed frame, or the output of Python. FreeMarker is shown as text. */
export default function CodeTileView(props: TileViewProps) {
  const { tile, card } = props
  const definition = useMemo(() => codeTile.parse(tile), [tile])
  const { source, templateContent, codeType, codeFromLink } = definition
  const file = useLakeFile(source.type === 'FILE' ? (source.value as FileReference) : undefined, maxBytes)
  const [wasEmpty] = useState(templateContent === '')
  const written = useMemo(
    (): Code => ({
      text: templateContent,
      origin: { type: 'EDITOR', isTyped: wasEmpty, link: codeFromLink },
    }),
    [templateContent, wasEmpty, codeFromLink],
  )
  const read = useCodeOfFile(file.data)
  const current = source.type === 'FILE' ? read : written
  // The first code runs without delay.
  const code = useSettled(current, settledMs) ?? current
  useTileExport(tile.id, { state: 'ready', note: 'Code runs only in the browser.' })
  const isNamed = source.type === 'EDITOR' || (source.value as FileReference).fileName !== ''
  if (file.error) return <TileError error={file.error} onRetry={file.retry} />
  if (code === undefined && isNamed) return <TileSkeleton shape="text" />
  if (code === undefined || code.text.trim() === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconCode size={20} stroke={1.6} />} title="No code yet">
          {card.editing ? 'Write code in the panel on the right.' : 'Edit the insight to write some.'}
        </EmptyState>
      </TileMessage>
    )
  if (codeType === 'html' && isFreeMarker(code.text))
    return <StoredCode language="FreeMarker (FTL)" code={code.text} title={headingOf(tile)} />
  return <RunningCode {...props} code={code} Run={codeType === 'python' ? PythonCode : HtmlCode} />
}

/** Code and its origin, which belong together: a newer version of a file can have another author. */
interface Code {
  text: string
  origin: CodeOrigin
}

type Run = (props: { code: string; data: CodeData | null; title: string }) => ReactNode

function HtmlCode({ code, data, title }: Parameters<Run>[0]) {
  return <HtmlFrame html={code} data={data} title={title} />
}

/** Runs the code when the data of the tile are loaded; code of other users only after the user has allowed it. */
function RunningCode({ tile, dataPrep, card, code, Run }: TileViewProps & { code: Code; Run: Run }) {
  const { blocked, allowed, allow, withdraw } = useCodePermission(code.origin)
  const [isJustAllowed, setJustAllowed] = useState(false)
  const menu = useMemo(
    () =>
      allowed === undefined
        ? []
        : [
            {
              label: `Stop running code ${allowed}`,
              icon: <IconPlayerStop size={16} stroke={1.6} />,
              onClick() {
                setJustAllowed(false)
                withdraw()
              },
            },
          ],
    [allowed, withdraw],
  )
  const data = useSeriesTile(tile, dataPrep.symbols)
  const { near } = useTileNear()
  const { results, refreshedAt } = data.series
  const given = useMemo(
    () => results && codeDataOf(mergeResults(results.map(({ result }) => result))),
    [results],
  )
  useReportRefresh(tile.id, refreshedAt, undefined)
  if (!data.series.isChosen)
    return near ? <Run code={code.text} data={null} title={headingOf(tile)} /> : <TileSkeleton shape="text" />
  return (
    <>
      <TileHeader badges={<SeriesBadges data={data} filled={(given?.rows.length ?? 0) > 0} />} menu={menu} />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconCode size={20} stroke={1.6} />}
        shape="rows"
      >
        {blocked !== undefined ? (
          <UntrustedCode
            origin={blocked}
            onAllow={() => {
              setJustAllowed(true)
              allow()
            }}
          />
        ) : given && (given.rows.length > 0 || data.hidden === 0) ? (
          <Content label={`Content of ${headingOf(tile)}`} takesFocus={isJustAllowed}>
            <Run code={code.text} data={given} title={headingOf(tile)} />
          </Content>
        ) : null}
      </SeriesTileBody>
    </>
  )
}

/** The output of the code. It receives the focus from the button that allowed the code. */
function Content({
  label,
  takesFocus,
  children,
}: {
  label: string
  takesFocus: boolean
  children: ReactNode
}) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) content.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <div ref={content} className={styles.content} role="group" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}

/** Requests a confirmation before code of another user gets data that the viewer can read, but perhaps not its author. */
function UntrustedCode({ origin, onAllow }: { origin: string; onAllow: () => void }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconCode size={20} stroke={1.6} />} title={`Code ${origin}`}>
        <p>
          This code uses data that you can read. It could send the data to other computers. Run it only if you
          trust its author.
        </p>
        <Button onClick={onAllow}>Run code {origin}</Button>
      </EmptyState>
    </TileMessage>
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

function useCodeOfFile(read: LakeFile | undefined): Code | undefined {
  const [code, setCode] = useState<Code>()
  useEffect(() => {
    if (read === undefined) return
    let gone = false
    const { fid, fileName } = read.file
    void read.content.text().then((text) => {
      if (!gone) setCode({ text, origin: { type: 'FILE', fid, fileName } })
    })
    return () => {
      gone = true
    }
  }, [read])
  return read === undefined ? undefined : code
}
