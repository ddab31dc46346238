import { useEffect, useMemo, useState } from 'react'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import { EmptyState } from '@headwater/web-kit'
import { TileError, TileMessage, TileSkeleton } from '../../components/TileStates.tsx'
import { useLakeFile } from '../../components/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { imageTile } from './image-tile.ts'
import { imageTypeOf } from './image-type.ts'
import { isHeavySvg, maxSvgBytes, readSvg } from './svg-weight.ts'
import styles from './ImageTile.module.css'

/** The largest picture that is shown. */
const maxBytes = 50_000_000

/** A picture of the lake. */
export default function ImageTileView({ tile, card }: TileViewProps) {
  const definition = useMemo(() => imageTile.parse(tile), [tile])
  const { value } = definition.source
  const { data, error, retry } = useLakeFile(value, maxBytes)
  const picture = usePicture(data?.content)
  useTileExport(tile.id, {
    state: error ? 'failed' : picture === undefined && value.fileName !== '' ? 'loading' : 'ready',
    problem: error?.message,
    ...(picture === undefined || isRefused(picture) || data === undefined
      ? { note: isRefused(picture) ? `${value.fileName} ${refusals[picture].note}` : 'It has no picture.' }
      : { picture: async () => new Blob([data.content], { type: await imageTypeOf(data.content) }) }),
  })
  if (value.fileName === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconPhoto size={20} stroke={1.6} />} title="No picture yet">
          {card.editing
            ? 'Choose a PNG, JPEG, WebP, GIF or SVG file in the panel on the right.'
            : 'Edit the insight to choose one.'}
        </EmptyState>
      </TileMessage>
    )
  if (error) return <TileError error={error} onRetry={retry} />
  if (picture === undefined) return <TileSkeleton shape="text" />
  if (isRefused(picture)) return <NoPicture fileName={value.fileName} why={picture} />
  return <Picture key={picture} address={picture} definition={definition} title={tile.title} />
}

function Picture({
  address,
  definition,
  title,
}: {
  address: string
  definition: ReturnType<typeof imageTile.parse>
  title: string
}) {
  const [broken, setBroken] = useState(false)
  const { fit, alternativeText, source } = definition
  if (broken) return <NoPicture fileName={source.value.fileName} why="none" />
  const scrolls = fit === 'width' || fit === 'none'
  return (
    <div
      className={styles.frame}
      data-fit={fit}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': `Picture of ${title}` } : {})}
    >
      <img
        className={styles.image}
        src={address}
        alt={alternativeText === '' ? title : alternativeText}
        onError={() => setBroken(true)}
      />
    </div>
  )
}

/** Why a picture is not shown. */
const refusals = {
  none: {
    title: 'This is no picture',
    note: 'is no picture.',
    advice: 'cannot be shown. Choose a PNG, JPEG, WebP, GIF or SVG file.',
  },
  heavy: {
    title: 'This picture takes too long to draw',
    note: 'takes too long to draw.',
    advice:
      'is very large, or repeats its parts many times over. Save it as a PNG, or as an SVG that does not refer to itself.',
  },
} as const
type Refusal = keyof typeof refusals

function isRefused(picture: string | undefined): picture is Refusal {
  return picture !== undefined && Object.hasOwn(refusals, picture)
}

/** The address of a picture in this page, or why it is not shown; undefined while that is not known. */
function usePicture(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (content === undefined) return
    let made: string | undefined
    let gone = false
    void shownAs(content).then((type) => {
      if (gone) return
      if (!isRefused(type)) made = URL.createObjectURL(new Blob([content], { type }))
      setAddress(made ?? type)
    })
    return () => {
      gone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [content])
  return content === undefined ? undefined : address
}

/** The type a picture is shown as, or why it is not. */
async function shownAs(content: Blob): Promise<string> {
  const type = await imageTypeOf(content)
  if (type !== 'image/svg+xml') return type ?? 'none'
  if (content.size > maxSvgBytes) return 'heavy'
  const svg = readSvg(await content.text())
  if (svg === undefined) return 'none'
  return isHeavySvg(svg) ? 'heavy' : type
}

function NoPicture({ fileName, why }: { fileName: string; why: Refusal }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconPhotoOff size={20} stroke={1.6} />} title={refusals[why].title}>
        {fileName} {refusals[why].advice}
      </EmptyState>
    </TileMessage>
  )
}
