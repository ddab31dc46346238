import { useMemo } from 'react'
import { HtmlFrame } from '@headwater/editors/web'
import { useQuery } from '@tanstack/react-query'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { maxCodeRows, runTileCode } from '@headwater/tile-data/contract'
import type { CodeData } from '@headwater/tile-data/core'
import { call } from '@headwater/web-kit'
import { useTileNear } from '../../card/TileCard.tsx'
import { TileError, TileSkeleton } from '../../card/TileStates.tsx'
import styles from './CodeTile.module.css'

/** Shows the output of Python in a frame. The same code with the same data runs only once. */
export function PythonCode({ code, data, title }: { code: string; data: CodeData | null; title: string }) {
  const { near } = useTileNear()
  const given = useMemo(() => data && { ...data, rows: data.rows.slice(0, maxCodeRows) }, [data])
  const ran = useQuery({
    queryKey: [runTileCode.name, code, given],
    queryFn: ({ signal }) => call(runTileCode, { body: { code, data: given } }, { signal }),
    enabled: near,
    staleTime: Infinity,
    retry: false,
  })
  if (ran.error) return <TileError error={ran.error} onRetry={() => void ran.refetch()} />
  if (ran.data === undefined) return <TileSkeleton shape="text" />
  const { output, error } = ran.data
  const leftOut = (data?.rows.length ?? 0) - (given?.rows.length ?? 0)
  return (
    <>
      {leftOut === 0 ? null : (
        <p className={styles.failed}>The code received only the newest {maxCodeRows} rows.</p>
      )}
      {error === null ? null : (
        <p className={styles.failed} role="alert">
          <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
          {error}
          {data === null && error.includes("'NoneType'")
            ? '. `data` has the value None because the tile has no data. Choose series under Data.'
            : ''}
        </p>
      )}
      {output === '' ? null : <HtmlFrame html={documentOf(output)} data={data} title={title} />}
    </>
  )
}

/** Returns the output as HTML. Plain text keeps its line breaks. */
function documentOf(output: string): string {
  if (/<[a-z!/]/i.test(output)) return output
  return `<pre>${output.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
}
